import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.config.impl.SecurityConfiguration;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.core.server.JournalType;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.protocol.amqp.broker.AMQPMessage;
import org.apache.activemq.artemis.spi.core.security.ActiveMQJAASSecurityManager;
import org.apache.activemq.artemis.spi.core.security.jaas.InVMLoginModule;

/** A broker for tests: its journal is on the disk, it wants a user, and tests ask about its queues over HTTP. */
public class Broker {
  public static void main(String[] words) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (String word : words) options.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    String folder = options.get("folder");
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration.setPersistenceEnabled(true).setJournalType(JournalType.NIO).setSecurityEnabled(true);
    configuration.setJournalMinFiles(2).setJournalFileSize(1024 * 1024).setJournalPoolFiles(4);
    configuration.setJournalDirectory(folder + "/journal").setBindingsDirectory(folder + "/bindings");
    configuration.setLargeMessagesDirectory(folder + "/large").setPagingDirectory(folder + "/paging");
    configuration.setMaxDiskUsage(100).setSecurityInvalidationInterval(1000);
    String to = "tcp://127.0.0.1:";
    configuration.addAcceptorConfiguration("amqp", to + options.get("amqp") + "?protocols=AMQP");
    configuration.addAcceptorConfiguration("openwire", to + options.get("openwire") + "?protocols=OPENWIRE");
    configuration.addAcceptorConfiguration("secure", to + options.get("secure")
      + "?protocols=AMQP;sslEnabled=true;keyStoreType=PEM;keyStorePath=" + new File(folder, "server.pem"));
    AddressSettings settings = new AddressSettings();
    settings.setDeadLetterAddress(SimpleString.of("DLQ")).setAutoCreateDeadLetterResources(false);
    settings.setMaxDeliveryAttempts(Integer.parseInt(options.getOrDefault("attempts", "10")));
    settings.setAutoCreateQueues(true).setAutoCreateAddresses(true).setAutoDeleteQueues(false).setAutoDeleteAddresses(false);
    configuration.addAddressSetting("#", settings);
    AddressSettings full = new AddressSettings();
    full.setMaxSizeBytes(20000).setAddressFullMessagePolicy(org.apache.activemq.artemis.core.settings.impl.AddressFullMessagePolicy.FAIL);
    full.setAutoCreateQueues(true).setAutoCreateAddresses(true).setAutoDeleteQueues(false);
    configuration.addAddressSetting("full.#", full);
    for (String name : new String[] {"inbox", "sink", "DLQ"})
      configuration.addQueueConfiguration(QueueConfiguration.of(name).setAddress(name).setRoutingType(RoutingType.ANYCAST).setDurable(true));
    Role all = new Role("all", true, true, true, true, true, true, true, true, true, true, true, true);
    Set<Role> roles = new HashSet<>(Set.of(all));
    configuration.putSecurityRoles("#", roles);
    configuration.putSecurityRoles("forbidden.#", new HashSet<>(Set.of(new Role("nobody", true, true, true, true, true, true, true, true, true, true, true, true))));
    SecurityConfiguration users = new SecurityConfiguration();
    users.addUser(options.get("user"), options.get("password"));
    users.addRole(options.get("user"), "all");
    EmbeddedActiveMQ broker = new EmbeddedActiveMQ();
    broker.setConfiguration(configuration);
    broker.setSecurityManager(new ActiveMQJAASSecurityManager(InVMLoginModule.class.getName(), users));
    broker.start();
    HttpServer control = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(options.get("control"))), 0);
    control.createContext("/", exchange -> answer(exchange, broker));
    control.start();
    System.out.println("the broker is ready");
  }

  private static void answer(HttpExchange exchange, EmbeddedActiveMQ broker) throws IOException {
    String text;
    int status = 200;
    try {
      Map<String, String> query = new HashMap<>();
      String given = exchange.getRequestURI().getQuery();
      for (String part : (given == null ? "" : given).split("&")) {
        int equals = part.indexOf('=');
        if (equals > 0) query.put(part.substring(0, equals), part.substring(equals + 1));
      }
      text = asked(exchange.getRequestURI().getPath(), query, broker);
    } catch (Exception error) {
      status = 500;
      text = String.valueOf(error);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    if (bytes.length > 0) exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static String asked(String path, Map<String, String> query, EmbeddedActiveMQ broker) throws Exception {
    Queue queue = broker.getActiveMQServer().locateQueue(query.getOrDefault("queue", ""));
    switch (path) {
      case "/count":
        return String.valueOf(queue == null ? -1 : queue.getMessageCount());
      case "/consumers":
        return String.valueOf(queue == null ? -1 : queue.getConsumerCount());
      case "/delivering":
        return String.valueOf(queue == null ? -1 : queue.getDeliveringCount());
      case "/connections":
        return String.valueOf(broker.getActiveMQServer().getConnectionCount());
      case "/queues": {
        StringBuilder names = new StringBuilder();
        for (var binding : broker.getActiveMQServer().getPostOffice().getAllBindings().filter(one -> one.getBindable() instanceof Queue).toList())
          names.append(binding.getUniqueName()).append('\n');
        return names.toString();
      }
      case "/clear":
        if (queue != null) queue.deleteAllReferences();
        return "";
      case "/destroy":
        if (queue != null) broker.getActiveMQServer().destroyQueue(queue.getName(), null, false, true);
        return "";
      case "/texts": {
        int from = Integer.parseInt(query.getOrDefault("from", "0"));
        StringBuilder texts = new StringBuilder();
        if (queue == null) return "";
        queue.flushExecutor();
        try (var references = queue.browserIterator()) {
          for (int at = 0; references.hasNext(); at++) {
            Message message = references.next().getMessage();
            if (at >= from) texts.append(message instanceof AMQPMessage ? ((AMQPMessage) message).getStringBody() : "?").append('\n');
          }
        }
        return texts.toString();
      }
      default:
        throw new IllegalArgumentException(path);
    }
  }
}
