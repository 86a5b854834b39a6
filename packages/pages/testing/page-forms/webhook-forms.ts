import { inPerson, unwrap } from '@gatehouse/domain/testing';
import { createWebhook } from '@gatehouse/domain/webhooks';
import type { PageScene as Scene } from '../serve-pages.ts';
import { type FormsOfPages, headersOf, type Sent } from './sent-form.ts';

const PATH = '/settings/webhooks';

async function givenWebhook({ world, people }: Scene) {
  const input = {
    url: 'https://hooks.example/',
    description: 'Chat',
    actions: 'all',
    includesAddresses: false,
  } as const;
  return unwrap(await createWebhook(world)(inPerson(people.admin), input)).webhook;
}

/** The form of a page of a webhook that exists. */
const formOf =
  (page: string, button: string, done: Sent['done'], filled = {}) =>
  async (scene: Scene): Promise<Sent> => {
    const [known] = await scene.world.webhooks.list({ accountId: scene.people.account.id, limit: 1 });
    const { id } = known ?? (await givenWebhook(scene));
    const visitor = await scene.signedIn();
    const path = `${PATH}/${id}${page}`;
    const values = (await visitor.get(path)).fill(button, filled);
    return { visitor, path, values, headers: headersOf(scene), done };
  };

async function createForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const path = `${PATH}/new`;
  const values = (await visitor.get(path)).fill('Create webhook', { URL: 'https://hooks.example/' });
  return { visitor, path, values, headers: headersOf(scene), done: 200 };
}

/** The forms of webhooks. */
export const WEBHOOK_FORMS: FormsOfPages = {
  'creating a webhook': createForm,
  'changing a webhook': formOf('/edit', 'Save', 303, { Description: 'Tickets' }),
  'making a new secret of a webhook': formOf('/secret', 'Create secret', 200),
  'testing a webhook': formOf('', 'Send a test', 303),
  'disabling a webhook': formOf('', 'Disable', 303),
  'deleting a webhook': formOf('/delete', 'Delete webhook', 303),
};
