import { err, ok, type Result } from '@gatehouse/domain';
import { parseEmail } from '@gatehouse/domain/users';

/** From whom messages are. */
export interface Sender {
  /** Shown before the address; empty if there is none. */
  readonly name: string;
  readonly address: string;
  /** The part of the address after the @. */
  readonly domain: string;
}

/** The form of a sender, for error messages. */
export const SENDER_FORM = 'an address, or a name and an address such as Gatehouse <gatehouse@acme.example>';

/** Parses an address, or a name and an address: `Gatehouse <gatehouse@acme.example>`. */
export function parseSender(text: string): Result<Sender, string> {
  const parts = /^(?:([^<>\p{Cc}"\\]{0,200}?)\s*<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim());
  const address = parts?.[2] ?? parts?.[3] ?? '';
  const domain = address.slice(address.lastIndexOf('@') + 1);
  // A URL with a password, in the wrong setting, has an @ as well.
  if (!parts || !parseEmail(address).ok || address.includes(':') || !/^[\p{L}\p{N}.-]+$/u.test(domain))
    return err(`must be ${SENDER_FORM}`);
  return ok({ name: parts[1] ?? '', address, domain });
}
