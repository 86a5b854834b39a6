import { at, press, type State } from './state.ts';

const LIST = '/settings/webhooks';

export const WEBHOOK_STATES: readonly State[] = [
  { name: 'webhooks', who: 'admin', path: at(LIST) },
  { name: 'no webhooks', who: 'beginner', path: at(LIST) },
  { name: 'webhooks, to a member', who: 'member', path: at(LIST), status: 403 },
  { name: 'new webhook', who: 'admin', path: at(`${LIST}/new`) },
  {
    name: 'new webhook, refused',
    who: 'admin',
    path: at(`${LIST}/new`),
    status: 422,
    send: async (page) => {
      await page.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1/');
      await press(page, 'Create webhook');
    },
  },
  {
    name: 'new webhook, without events',
    who: 'admin',
    path: at(`${LIST}/new`),
    status: 422,
    send: async (page) => {
      await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example/');
      await page.getByLabel('Selected events').check();
      await press(page, 'Create webhook');
    },
  },
  {
    name: 'webhook created',
    who: 'beginner',
    path: at(`${LIST}/new`),
    send: async (page) => {
      await page.getByRole('textbox', { name: 'URL' }).fill('https://hooks.example/');
      await press(page, 'Create webhook');
    },
  },
  { name: 'webhook with attempts', who: 'admin', path: ({ tried }) => `${LIST}/${tried}` },
  { name: 'webhook, disabled', who: 'admin', path: ({ disabled }) => `${LIST}/${disabled}` },
  {
    name: 'webhook, of another account',
    who: 'beginner',
    path: ({ tried }) => `${LIST}/${tried}`,
    status: 404,
  },
  { name: 'webhook to edit', who: 'admin', path: ({ tried }) => `${LIST}/${tried}/edit` },
  { name: 'new secret of a webhook', who: 'admin', path: ({ tried }) => `${LIST}/${tried}/secret` },
  { name: 'webhook to delete', who: 'admin', path: ({ tried }) => `${LIST}/${tried}/delete` },
];
