import { parseUserId, serviceEmail } from '@gatehouse/domain/users';

/** The address of the owner of a token: that of a person, or the id of a service account. */
export function ownerEmail(text: string): string {
  const id = parseUserId(text);
  return id === undefined ? text : serviceEmail(id);
}
