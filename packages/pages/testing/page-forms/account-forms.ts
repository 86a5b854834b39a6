import type { PageScene as Scene } from '../serve-pages.ts';
import { type FormsOfPages, headersOf, type Sent } from './sent-form.ts';

async function renameForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const path = '/settings/account';
  const values = (await visitor.get(path)).fill('Rename', { Name: 'Acme Works' });
  return { visitor, path, values, headers: headersOf(scene), done: 303 };
}

async function rulesForm(scene: Scene): Promise<Sent> {
  const visitor = await scene.signedIn();
  const [path, button] = ['/settings/account/rules/people', 'Save rules'];
  const values = (await visitor.get(path)).fill(button, { 'Longest lifetime': '365d' });
  return { visitor, path, values, headers: headersOf(scene), button, done: 303 };
}

/** The forms that change the account. */
export const ACCOUNT_FORMS: FormsOfPages = {
  'renaming the account': renameForm,
  'changing the rules of the account': rulesForm,
};
