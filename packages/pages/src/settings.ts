import { areasFor } from './elements/navigation.ts';
import { html } from './html.ts';
import type { SignedInPage } from './session/signed-in.ts';
import { view } from './view.ts';

/** `/settings`: lists the areas of the settings that the user sees, with a sentence about each. */
export const SETTINGS_PAGE: SignedInPage = {
  show: ({ user }) =>
    view({
      title: 'Settings',
      content: html`<ul class="plain areas">${areasFor(user).map(
        ({ path, label, about }) =>
          html`<li><a href="${path}">${label}</a><p class="muted">${about}</p></li>`,
      )}</ul>`,
    }),
};
