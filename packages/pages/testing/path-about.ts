/** Ids that are there, one for each area of the settings. */
export interface Subjects {
  readonly token: string;
  readonly user: string | number;
  readonly organization: string | number;
  /** Default: the user. */
  readonly serviceAccount?: string | number;
  readonly webhook: string | number;
}

/** Fills an id of its area into the path of a page, such as `/settings/users/:id`. */
export function pathAbout(
  path: string,
  { token, user, organization, serviceAccount = user, webhook }: Subjects,
): string {
  const area = /^\/settings\/([\w-]+)/.exec(path)?.[1];
  const ids: Readonly<Record<string, string | number>> = {
    users: user,
    organizations: organization,
    'service-accounts': serviceAccount,
    webhooks: webhook,
  };
  return path.replace(':id', `${ids[area ?? ''] ?? token}`).replace(':holder', 'people');
}
