import type { Person, World } from '../index.ts';
import { inDatabase } from './in-database.ts';

/** Makes the time when a person last gave the password so old that creating a token asks for it again. */
export async function forgetPassword(world: World, { email }: Pick<Person, 'email'>): Promise<void> {
  await inDatabase(
    world,
    `UPDATE sessions SET password_given_at = now() - interval '11 minutes'
     WHERE user_id = (SELECT id FROM users WHERE email = $1)`,
    email,
  );
}
