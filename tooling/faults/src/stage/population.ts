import { gatehouse } from './commands.ts';
import type { Settings } from './node.ts';

/** An account with an admin, an organization and a token, made by the real commands. */
export interface Population {
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** The path of the organization. */
  readonly path: string;
}

export async function populate(settings: Settings): Promise<Population> {
  const [email, password] = ['ada@acme.example', 'a heavy press, twice'];
  await gatehouse(settings, ['migrate']);
  const account = await gatehouse(settings, ['account', 'create', '--name', 'Acme']);
  const admin = ['--account', account, '--email', email, '--name', 'Ada', '--role', 'admin'];
  await gatehouse(settings, ['user', 'create', ...admin, '--password-stdin'], password);
  const id = await gatehouse(settings, ['org', 'create', '--account', account, '--name', 'Press shop']);
  const token = await gatehouse(settings, ['token', 'create', '--as', email, '--name', 'ERP']);
  return { email, password, token, path: `/api/v1/orgs/${id}` };
}
