import { apiToken, givenServiceAccount } from '@gatehouse/domain/testing';
import type { PageScene as Scene } from '../serve-pages.ts';
import type { Typed } from '../visitor.ts';
import { type Fill, type FormsOfPages, headersOf, type Sent } from './sent-form.ts';

async function createForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const [path, button] = ['/settings/api/new', 'Create token'];
  const values = (await visitor.get(path)).fill(button, {
    Name: 'ERP',
    'Read the owner of the token me:read': true,
  });
  return { visitor, path, values, headers: headersOf(scene), button, done: 200 };
}

/** A form of the page of a token. All these forms of a scene are about the same token. */
function tokenForm(under: string, button: string, typed: Typed, done: Sent['done'] = 303): Fill {
  return async (scene) => {
    const [made] = await tokensOf(scene);
    const { id } = made ?? (await apiToken(scene.world, scene.people.admin)).record;
    const visitor = await scene.signedIn();
    const path = `/settings/api/${id}${under}`;
    const values = (await visitor.get(path)).fill(button, typed);
    return { visitor, path, values, headers: headersOf(scene), button, done };
  };
}

async function giveForm(scene: Scene): Promise<Sent> {
  const { world, people } = scene;
  const [known] = await world.serviceAccounts.list({ accountId: people.account.id, limit: 1 });
  const { user } = known ?? (await givenServiceAccount(world, people.admin));
  return tokenForm('/give', 'Give token', { 'New owner': user.email })(scene);
}

/** The page names its tokens in its address, so it has no form without them. */
async function revokeSeveralForm(scene: Scene): Promise<Sent> {
  const [made] = await tokensOf(scene);
  const { id } = made ?? (await apiToken(scene.world, scene.people.admin)).record;
  const visitor = await scene.signedIn();
  const path = '/settings/api/revoke';
  const values = (await visitor.get(`${path}?id=${id}`)).fill('Revoke 1 token', { Reason: 'leak' });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

async function checkForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const [path, button] = ['/settings/api/check', 'Check token'];
  const values = (await visitor.get(path)).fill(button, { Token: 'v4.public.no-token-of-this-server' });
  return { visitor, path, values, headers: headersOf(scene), button, done: 200 };
}

/** Returns the tokens of the scene. */
export const tokensOf = ({ world }: Scene) => world.tokens.list({ now: world.clock.now(), limit: 100 });

/** The forms that make, change and revoke tokens. */
export const TOKEN_FORMS: FormsOfPages = {
  'checking what was pasted': checkForm,
  'creating a token': createForm,
  'giving a token away': giveForm,
  'rotating a token': tokenForm('/rotate', 'Rotate token', {}, 200),
  'revoking a token': tokenForm('/revoke', 'Revoke token', { Reason: 'leak' }),
  'revoking several tokens': revokeSeveralForm,
  'limiting a token to networks': tokenForm('/networks', 'Save networks', { Networks: '203.0.113.0/24' }),
  'describing a token': tokenForm('', 'Save description', { Description: 'Reads stock' }),
  'renaming a token': tokenForm('', 'Rename', { Name: 'Wiki' }),
  'shortening a token’s life': tokenForm('', 'Set expiry', { 'Last day': '2999-12-31' }),
};
