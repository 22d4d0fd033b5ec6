const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

// Only the names of the services are rendered at first: a slow machine takes seconds for all operations. Each
// operation shows its schemas itself.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: -1,
  syntaxHighlight: false,
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
