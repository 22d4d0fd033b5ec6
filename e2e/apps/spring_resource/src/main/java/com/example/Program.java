package com.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An API that knows nothing of Keystead. */
@SpringBootApplication
@RestController
public class Program {
    public static void main(String[] arguments) {
        SpringApplication.run(Program.class, arguments);
    }

    @GetMapping("/")
    String greet() {
        return "Hello";
    }
}
