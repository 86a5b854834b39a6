import { givenPerson } from '@gatehouse/domain/testing';
import type { PageScene as Scene } from '../serve-pages.ts';
import { withSecondFactor } from '../sign-in-with-code.ts';
import { type FormsOfPages, headersOf, type Sent } from './sent-form.ts';

const PATH = '/settings/second-factor';

/** Makes an admin with a second factor, so that the admin of the scene signs in without one. */
async function anotherAdmin({ world, people }: Scene) {
  const email = `admin-${world.ids.next()}@acme.example`;
  return givenPerson(world, { accountId: people.admin.accountId, email });
}

async function codeForm(scene: Scene): Promise<Sent> {
  const { atCode, code } = await withSecondFactor(scene, await anotherAdmin(scene));
  const { visitor, page } = await atCode();
  const values = page.fill('Continue', { Code: code(1) });
  return { visitor, path: '/sign-in/code', values, headers: headersOf(scene), done: 303 };
}

async function beginForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const values = (await visitor.get(PATH)).fill('Set up');
  return { visitor, path: PATH, values, headers: headersOf(scene), done: 200 };
}

async function recoveryCodesForm(scene: Scene): Promise<Sent> {
  const visitor = await (await withSecondFactor(scene, await anotherAdmin(scene))).signedIn();
  const path = `${PATH}/recovery-codes`;
  const values = (await visitor.get(path)).fill('Create recovery codes');
  return { visitor, path, values, headers: headersOf(scene), done: 200 };
}

async function removeForm(scene: Scene): Promise<Sent> {
  const { signedIn, code, password } = await withSecondFactor(scene, await anotherAdmin(scene));
  const visitor = await signedIn();
  const path = `${PATH}/remove`;
  const values = (await visitor.get(path)).fill('Remove second factor', { Password: password, Code: code() });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

async function policyForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const path = '/settings/account/second-factor';
  const values = (await visitor.get(path)).fill('Save', { 'Second factor': 'admins' });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

/** The forms of second factors. */
export const SECOND_FACTOR_FORMS: FormsOfPages = {
  'signing in with a code': codeForm,
  'setting up a second factor': beginForm,
  'making new recovery codes': recoveryCodesForm,
  'removing a second factor': removeForm,
  'demanding second factors': policyForm,
};
