// Secrets that slip into texts and reports, found by the name of a field or by their own shape. A net, not a proof: what
// must not be seen should not be reported.

export const REDACTED = '[redacted]';

const SECRET_KEY =
  /pass(word|wd|phrase)|secret|token|api[-_]?key|authorization|credential|cookie|private[-_]?key|access[-_]?key|session[-_]?id/i;
/** `max_tokens: 512` counts tokens. */
const COUNT_KEY = /tokens?(_?(count|used|limit|total))?$/i;

/** Whether a field's name says that its value is a secret. */
export function isSecretKey(key: string, value: unknown): boolean {
  return SECRET_KEY.test(key) && !(typeof value === 'number' && COUNT_KEY.test(key));
}

const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  // JSON web tokens, signed or not.
  /\beyJ[\w-]{8,}\.[\w-]{8,}(\.[\w-]*)?/g,
  // OpenAI, Anthropic, Stripe.
  /\b[spr]k[-_][\w-]{16,}/g,
  // AWS key ids; Google API keys; GitHub and GitLab tokens; Slack tokens.
  /\b(AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bAIza[\w-]{30,}/g,
  /\b(gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,})/g,
  /\bxox[abeoprs]-[\w-]{10,}/g,
  // postgres://user:password@host
  /(?<=:\/\/[^\s/:@]{1,100}:)[^\s/@]{1,200}(?=@)/g,
  // password=…, "api_key": "…"
  /(?<=\b(password|passwd|secret|token|api[-_]?key|access[-_]?key|authorization)["']?\s{0,3}[=:]\s{0,3}["']?)(?!\[redacted\])[^\s"',;&]{3,}/gi,
];

export function redactText(text: string): string {
  return SECRET_SHAPES.reduce((clean, shape) => clean.replace(shape, REDACTED), text);
}
