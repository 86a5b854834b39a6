import type { Diagram } from '../diagram.ts';
import { arrow, box, down, frame, lines } from '../shapes.ts';

const users = box('plain', 'Users', ['people, and service accounts for programs', 'role: admin or member'], {
  x: 20,
  y: 40,
  width: 360,
});
const tokens = box('ours', 'API tokens', ['scopes, networks,', 'and an expiry'], {
  x: 20,
  y: users.bottom + 44,
  width: 166,
});
const organizations = box('plain', 'Organizations', ['such as a team', 'or a site'], {
  x: 234,
  y: users.bottom + 44,
  width: 146,
});
const account = frame('Account', [tokens, organizations], { y: 8 });

export const directory: Diagram = {
  name: 'directory',
  title: 'The directory',
  text: 'An account contains users, organizations and API tokens. A user is a person, or a service account for a program, and has the role admin or member. Users are members of organizations; admins reach all of the account. Each token has one owner, a user, and may do what its owner may, limited by its scopes.',
  shapes: [
    account,
    users,
    tokens,
    organizations,
    down(80, users, tokens, { label: ['own'] }),
    down(280, users, organizations, { label: ['members of'] }),
    arrow({ x: 188, y: tokens.y + 36 }, { x: 232, y: tokens.y + 36 }, { dashed: true }),
    lines(
      [
        'Dashed: a token reaches what its owner reaches,',
        'limited by its scopes. Members reach the',
        'organizations that they belong to, admins all.',
      ],
      { x: 18, y: account.bottom + 8 },
    ),
  ],
};
