import { apiToken, GOOD, PASSWORD } from '@gatehouse/domain/testing';
import type { PageScene as Scene } from './serve-pages.ts';
import type { Typed, Visitor } from './visitor.ts';

/** A filled-in form that the server would accept. Tests of forged forms change parts of it. */
export interface Sent {
  readonly visitor: Visitor;
  readonly path: string;
  readonly values: URLSearchParams;
  readonly headers: Record<string, string>;
  /** The text of a button that the page no longer has once the form was accepted. */
  readonly button?: string;
  /** The status of the answer if the form is accepted: 303, or 200 for a page that shows a secret. */
  readonly done: 303 | 200;
}

/** Fills in a form in a new session. */
export type Fill = (scene: Scene) => Promise<Sent>;

export const NEW_PASSWORD = 'another horse battery';

const PATH = '/settings/password';

const headersOf = ({ url }: Scene) => ({
  'content-type': 'application/x-www-form-urlencoded',
  origin: url,
});

export async function passwordForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const values = (await visitor.get(PATH)).fill('Change password', {
    'Current password': PASSWORD,
    'New password': NEW_PASSWORD,
    'Confirm new password': NEW_PASSWORD,
  });
  return { visitor, path: PATH, values, headers: headersOf(scene), done: 303 };
}

async function signInForm(scene: Scene): Promise<Sent> {
  const visitor = scene.visitor();
  const page = await visitor.get('/sign-in');
  const values = page.fill('Sign in', { Email: GOOD.email, Password: PASSWORD });
  return { visitor, path: '/sign-in', values, headers: headersOf(scene), done: 303 };
}

async function signOutForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const values = (await visitor.get(PATH)).fill('Sign out');
  return { visitor, path: '/sign-out', values, headers: headersOf(scene), done: 303 };
}

async function endSessionsForm(scene: Scene): Promise<Sent> {
  await scene.signedIn();
  const visitor = await scene.signedIn();
  const [path, button] = ['/settings/sessions', 'End all other sessions'];
  const values = (await visitor.get(path)).fill(button);
  return { visitor, path, values, headers: headersOf(scene), button, done: 303 };
}

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

/** The forms of all pages. */
export const PAGE_FORMS: Readonly<Record<string, Fill>> = {
  'changing a password': passwordForm,
  'signing in': signInForm,
  'signing out': signOutForm,
  'ending sessions': endSessionsForm,
  'creating a token': createForm,
  'rotating a token': tokenForm('/rotate', 'Rotate token', {}, 200),
  'revoking a token': tokenForm('/revoke', 'Revoke token', { Reason: 'leak' }),
  'renaming a token': tokenForm('', 'Rename', { Name: 'Wiki' }),
  'shortening a token’s life': tokenForm('', 'Set last day', { 'Last day': '2999-12-31' }),
};

/** Returns the tokens of the scene. */
export const tokensOf = ({ world }: Scene) => world.tokens.list({ now: world.clock.now(), limit: 100 });

export const send = ({ visitor, path, values, headers }: Sent, method = 'POST') =>
  visitor.ask(method === 'GET' ? `${path}?${values}` : path, {
    method,
    headers,
    ...(method !== 'GET' && { body: `${values}` }),
  });
