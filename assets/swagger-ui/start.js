// Starts Swagger UI on the document whose servers are the ones that serve this page.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: true,
  displayRequestDuration: true,
  // Nothing is asked of another machine.
  validatorUrl: null,
  // A key is forgotten with the page.
  persistAuthorization: false,
});
