import { ACCOUNT_FORMS } from './page-forms/account-forms.ts';
import { LINKS_FORMS } from './page-forms/links-forms.ts';
import { ORGANIZATION_FORMS } from './page-forms/organization-forms.ts';
import { PROFILE_FORMS } from './page-forms/profile-forms.ts';
import { SECOND_FACTOR_FORMS } from './page-forms/second-factor-forms.ts';
import type { FormsOfPages } from './page-forms/sent-form.ts';
import { SERVICE_ACCOUNT_FORMS } from './page-forms/service-account-forms.ts';
import { TOKEN_FORMS } from './page-forms/token-forms.ts';
import { USERS_FORMS } from './page-forms/users-forms.ts';
import { WEBHOOK_FORMS } from './page-forms/webhook-forms.ts';

export { NEW_PASSWORD, passwordForm } from './page-forms/profile-forms.ts';
export { type Fill, type Sent, send } from './page-forms/sent-form.ts';
export { tokensOf } from './page-forms/token-forms.ts';

/** The forms of all pages. Each area has a file with its own in the folder `page-forms`. */
export const PAGE_FORMS: FormsOfPages = {
  ...ACCOUNT_FORMS,
  ...ORGANIZATION_FORMS,
  ...LINKS_FORMS,
  ...PROFILE_FORMS,
  ...SECOND_FACTOR_FORMS,
  ...TOKEN_FORMS,
  ...USERS_FORMS,
  ...SERVICE_ACCOUNT_FORMS,
  ...WEBHOOK_FORMS,
};
