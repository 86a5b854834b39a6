import { givenServiceAccount } from '@gatehouse/domain/testing';
import type { PageScene as Scene } from '../serve-pages.ts';
import { type FormsOfPages, headersOf, type Sent } from './sent-form.ts';

const PATH = '/settings/service-accounts';

async function createForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const [path, button] = [`${PATH}/new`, 'Create service account'];
  const values = (await visitor.get(path)).fill(button, { Name: 'ERP' });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

async function editForm(scene: Scene): Promise<Sent> {
  const [known] = await scene.world.serviceAccounts.list({ accountId: scene.people.account.id, limit: 1 });
  const { user } = known ?? (await givenServiceAccount(scene.world, scene.people.admin));
  const visitor = await scene.signedIn();
  const path = `${PATH}/${user.id}/edit`;
  const values = (await visitor.get(path)).fill('Save', { Name: 'CRM' });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

/** The forms that create and change a service account. */
export const SERVICE_ACCOUNT_FORMS: FormsOfPages = {
  'creating a service account': createForm,
  'changing a service account': editForm,
};
