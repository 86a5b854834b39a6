import { at, type State } from './state.ts';

export const ACTIVITY_STATES: readonly State[] = [
  { name: 'activity', who: 'admin', path: at('/settings/api/activity') },
  {
    name: 'activity, filtered',
    who: 'admin',
    path: at(
      '/settings/api/activity?user=ada&kind=token&change=created&token=Warehouse&from=2020-01-01&to=x',
    ),
  },
  { name: 'activity, of no user', who: 'admin', path: at('/settings/api/activity?user=nothing') },
  {
    name: 'activity, of an organization',
    who: 'admin',
    path: at('/settings/api/activity?subject=organization:1'),
  },
  { name: 'activity, to a member', who: 'member', path: at('/settings/api/activity'), status: 403 },
];
