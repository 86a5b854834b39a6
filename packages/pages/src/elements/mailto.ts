/** A message that a link proposes. */
interface Message {
  readonly subject: string;
  readonly body: string;
}

/**
 * Returns the address of a link that writes an email. Each part is encoded, so that no character of an address or a name
 * adds a recipient or a header (RFC 6068).
 */
export function mailto(email: string, message?: Message): string {
  const to = `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;
  if (message === undefined) return to;
  const lines = message.body.replaceAll('\n', '\r\n');
  return `${to}?subject=${encodeURIComponent(message.subject)}&body=${encodeURIComponent(lines)}`;
}
