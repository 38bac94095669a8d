// Shows the code samples of an operation (`x-codeSamples`) above its parameters.
const codeSamples = ({ React }) => {
  const h = React.createElement;
  const Samples = ({ samples }) => {
    const [chosen, choose] = React.useState(0);
    const tab = ({ label }, index) => {
      const selected = index === chosen;
      const className = selected ? "btn authorize" : "btn";
      const onClick = () => choose(index);
      return h("button", { key: label, type: "button", role: "tab", "aria-selected": selected, className, onClick }, label);
    };
    return h(
      "div",
      { className: "opblock-section code-samples" },
      h(
        "div",
        { className: "opblock-section-header", role: "tablist" },
        h("h4", { className: "opblock-title" }, "Code samples"),
        samples.map(tab),
      ),
      h("pre", { className: "microlight", role: "tabpanel", tabIndex: 0 }, h("code", null, samples[chosen].source)),
    );
  };
  const above = (Parameters) => (props) => {
    const samples = props.operation?.get("x-codeSamples")?.toJS();
    return h(React.Fragment, null, samples && h(Samples, { samples }), h(Parameters, props));
  };
  return { wrapComponents: { parameters: above } };
};

// Starts Swagger UI on the document whose servers are the ones that serve this page.
SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [codeSamples],
  layout: "BaseLayout",
  deepLinking: true,
  displayRequestDuration: true,
  // Nothing is asked of another machine.
  validatorUrl: null,
  // A key is forgotten with the page.
  persistAuthorization: false,
});
