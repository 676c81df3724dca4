/** A plugin of StrykerJS: it leaves sentences unchanged, which are strings and templates of four words and more. */

const SENTENCE = /\S+ \S+ \S+ \S+/;

/** What decides something, so that it is changed although it is in a sentence. */
const DECISIONS = /^(?:Conditional|Logical|Binary|Unary|ArrowFunction)Expression$/;

exports.strykerPlugins = [
  {
    kind: "Ignore",
    name: "sentences",
    value: { shouldIgnore: ({ node }) => (isSentence(node) ? "a sentence of a message" : undefined) },
  },
];

function isSentence({ type, value, quasis, expressions }) {
  if (type === "StringLiteral") return SENTENCE.test(value);
  if (type !== "TemplateLiteral") return false;
  return SENTENCE.test(quasis.map((text) => text.value.raw).join("x")) && !expressions.some(decides);
}

/** Whether a node of the syntax tree, or one within it, decides something. */
function decides(node) {
  if (typeof node !== "object" || node === null) return false;
  return DECISIONS.test(node.type) || Object.values(node).some(decides);
}
