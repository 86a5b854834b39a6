import { aProvider, GOOD, PASSWORD } from '@gatehouse/domain/testing';
import type { PageScene as Scene } from '../serve-pages.ts';
import { type FormsOfPages, headersOf, type Sent } from './sent-form.ts';

export const NEW_PASSWORD = 'another horse battery';

const PATH = '/settings/password';

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

async function renameSelfForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const path = '/settings/profile';
  const values = (await visitor.get(path)).fill('Change name', { Name: 'Ada Byron' });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

async function linkForm(scene: Scene): Promise<Sent> {
  const { account } = scene.people;
  scene.world.identityProviders.all.push(aProvider({ accounts: [account.id] }));
  const visitor = await scene.signedIn();
  const path = '/settings/sign-in';
  const values = (await visitor.get(path)).fill('Link identity');
  return { visitor, path, values, headers: headersOf(scene), done: 200 };
}

async function notificationsForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const path = '/settings/notifications';
  const values = (await visitor.get(path)).fill('Save', { 'Your tokens': false });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

/** The forms with which users sign in and out, and change what is theirs. */
export const PROFILE_FORMS: FormsOfPages = {
  'changing a password': passwordForm,
  'changing one’s name': renameSelfForm,
  'choosing notifications': notificationsForm,
  'signing in': signInForm,
  'signing out': signOutForm,
  'linking an identity': linkForm,
  'ending sessions': endSessionsForm,
};
