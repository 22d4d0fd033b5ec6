package com.example;

import java.security.Principal;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A program that shows the name of its user. */
@SpringBootApplication
@RestController
public class Program {
    public static void main(String[] arguments) {
        SpringApplication.run(Program.class, arguments);
    }

    @GetMapping("/")
    String who(Principal user) {
        return user == null ? "Nobody" : user.getName();
    }
}
