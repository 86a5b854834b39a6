/**
 * Matches the beginning of a secret that Gatehouse made: of a PASETO, of a JWT, or of a code such as `ghs_…`. Fields and
 * programs cut off what is too long for them, so a token can be incomplete.
 *
 * A JWT is found by its first dot, from which the pattern looks back. A pattern that looked for the dot from each `eyJ`
 * would take a time that grows with the square of the length of an address.
 */
export const SECRET = /v4\.public\.[\w-]{8}|(?<=eyJ[\w-]{8,})\.[\w-]|gh[a-z]_[\w-]{43}/;

/** A token of either format anywhere in a text, in base64url and not part of a longer word. */
const TOKEN = /(?<![\w.-])(?:v4\.public\.[\w-]+\.[\w-]+|eyJ[\w-]+\.[\w-]+\.[\w-]+)(?![\w.-])/g;

/**
 * Finds the tokens within a text, such as a header, a line of code or the report of a scanner. Some may belong to other
 * services. A token that is in the text several times is returned as often.
 */
export const tokensIn = (text: string): readonly string[] => text.match(TOKEN) ?? [];
