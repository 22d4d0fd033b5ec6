import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.callback.Callback;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerTokenCallback;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallback;

/** The two halves of OAUTHBEARER without a broker: a client gets a token, the validator of a broker reads it. */
public class Program {
    private static final String LISTENER = "listener.name.sasl_ssl.oauthbearer.";
    private static final String HANDLER = "sasl.server.callback.handler.class";

    public static void main(String[] arguments) throws Exception {
        Properties client = read("client.properties"), server = read("server.properties");
        System.setProperty("org.apache.kafka.sasl.oauthbearer.allowed.urls",
                client.getProperty("sasl.oauthbearer.token.endpoint.url") + ","
                        + server.getProperty(LISTENER + "sasl.oauthbearer.jwks.endpoint.url"));
        var login = handler(client, "", client.getProperty("sasl.login.callback.handler.class"));
        var token = new OAuthBearerTokenCallback();
        login.handle(new Callback[] {token});
        var validator = handler(server, LISTENER, server.getProperty(LISTENER + HANDLER));
        var validated = new OAuthBearerValidatorCallback(token.token().value());
        validator.handle(new Callback[] {validated});
        if (validated.token() == null) throw new IllegalStateException(validated.errorStatus());
        System.out.println(validated.token().principalName());
        System.exit(0); // the thread that refreshes the keys goes on, even when the handlers are closed
    }

    private static Properties read(String file) throws Exception {
        var properties = new Properties();
        try (var reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        }
        return properties;
    }

    /** A callback handler with the settings under a prefix and the defaults of Kafka. */
    private static AuthenticateCallbackHandler handler(Properties properties, String prefix, String name)
            throws Exception {
        var definition = new ConfigDef();
        SaslConfigs.addClientSaslSupport(definition);
        Map<String, Object> given = new HashMap<>();
        for (var each : properties.stringPropertyNames())
            if (each.startsWith(prefix)) given.put(each.substring(prefix.length()), properties.getProperty(each));
        Map<String, Object> settings = new HashMap<>(definition.parse(given));
        var jaas = JaasContext.loadClientContext(
                Map.of("sasl.jaas.config", new Password((String) given.get("sasl.jaas.config"))));
        var made = (AuthenticateCallbackHandler) Class.forName(name).getConstructor().newInstance();
        made.configure(settings, "OAUTHBEARER", jaas.configurationEntries());
        return made;
    }
}
