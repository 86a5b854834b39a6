import { type Mutation, mutation } from '../mutation.ts';

const LINKS = 'packages/domain/src/links';
const MAIL = 'packages/domain/src/mail';
const SMTP = 'packages/mail/src';
const ADAPTER = 'packages/postgres/src';
const IN_MEMORY = 'packages/domain/testing/in-memory';
const PAGES = 'packages/pages/src';

/** Mail and mailed links: requirements 215 to 226. */
export const MAIL_MUTATIONS: readonly Mutation[] = [
  mutation([215], 'The use case that mails an invitation returns the code.', {
    file: `${LINKS}/manage-invitations.ts`,
    find: 'return made.ok ? ok(made.value.invitation) : made;',
    replace: 'return made.ok ? ok({ ...made.value.invitation, code: made.value.code }) : made;',
  }),
  mutation([215], 'The event of a mailed invitation has a code.', {
    file: `${LINKS}/manage-invitations.ts`,
    find: "...(delivery === 'mail' && MAILED) };",
    replace: "...(delivery === 'mail' && { ...MAILED, code }) };",
  }),
  mutation([215], 'A try to send a link keeps the code of the try before.', [
    {
      file: `${IN_MEMORY}/invitation-repository.ts`,
      find: '      state.invitations.set(id, { ...stored, codeHash });\n',
      replace: '',
    },
    {
      file: `${ADAPTER}/links/invitation-repository.ts`,
      find: "await renewed.where('id', '=', id).execute();",
      replace: "await renewed.where('id', '=', id).where('id', 'is', null).execute();",
    },
  ]),
  mutation([215], 'A code that was mailed before still counts as the same message.', {
    file: `${MAIL}/mail-reaction.ts`,
    find: '`link-${position}-${hash.slice(0, 16)}`',
    replace: '`link-${position}-${hash.slice(0, 0)}`',
  }),
  mutation([216], 'A link that was shown proves the address.', [
    {
      file: `${ADAPTER}/links/invitation-repository.ts`,
      find: 'if (found.isMailed) await noteProof',
      replace: 'await noteProof',
    },
    {
      file: `${IN_MEMORY}/invitation-repository.ts`,
      find: 'if (found.isMailed) state.setMeans',
      replace: 'state.setMeans',
    },
  ]),
  mutation([216], 'A shown link that replaces a mailed one counts as mailed.', {
    file: `${ADAPTER}/links/link-records.ts`,
    find: 'mailed_code_hash: only ? hash : null',
    replace: 'mailed_code_hash: only ? hash : hash',
  }),
  mutation([216], 'The page mails a link that is to be shown.', {
    file: `${PAGES}/links/new-invitation.ts`,
    find: 'const isShown = !ports.isMailSetUp || typed.delivery === SHOWN;',
    replace: 'const isShown = !ports.isMailSetUp;',
  }),
  mutation([217], 'A mailed link gets another code although it can no longer be used.', [
    {
      file: `${ADAPTER}/links/invitation-repository.ts`,
      find: "await selectLiving(tx, at).where('invitations.id', '=', id)",
      replace: "await selectInvitations(tx).where('invitations.id', '=', id)",
    },
    {
      file: `${IN_MEMORY}/invitation-repository.ts`,
      find: 'acceptableInvitation(state, stored.codeHash, at) : undefined',
      replace: 'acceptableInvitation(state, stored.codeHash, 0 as never) : undefined',
    },
  ]),
  mutation([217], 'A link that is shown gets another code.', {
    file: `${ADAPTER}/links/reset-link-repository.ts`,
    find: 'if (!found?.link.isMailed) return undefined;',
    replace: 'if (!found) return undefined;',
  }),
  mutation([218], 'The answer tells that no user has the address.', {
    file: `${PAGES}/forgot-password.ts`,
    find: 'if (requested.ok) return asked(visit);',
    replace:
      "if (requested.ok && email.includes('@acme')) return asked(visit);\n    if (requested.ok) return ask(visit);",
  }),
  mutation([218], 'The time of the answer is that of the work.', {
    file: `${PAGES}/forgot-password.ts`,
    find: '      ports.pause(ANSWER_MS),\n',
    replace: '      void ANSWER_MS,\n',
  }),
  mutation([219], 'Each request for an address makes a link.', [
    {
      file: `${ADAPTER}/links/request-link.ts`,
      find: 'where reset_requests.at <= ${moment(addMilliseconds(at, -pauseMs))}',
      replace: 'where reset_requests.at <= ${moment(addMilliseconds(at, pauseMs))}',
    },
    {
      file: `${IN_MEMORY}/reset-link-repository.ts`,
      find: 'addMilliseconds(last, pauseMs) > at',
      replace: 'addMilliseconds(last, -pauseMs) > at',
    },
  ]),
  mutation([219], 'Asking ends a link that was handed over.', [
    {
      file: `${ADAPTER}/links/request-link.ts`,
      find: 'return open && !open.link_is_mailed ? undefined : user;',
      replace: 'return open && !open.link_is_mailed && at < 0 ? undefined : user;',
    },
    {
      file: `${IN_MEMORY}/reset-link-repository.ts`,
      find: 'if (open && !open.isMailed && usable(open.codeHash, at)) return;',
      replace: 'if (open && !open.isMailed && usable(open.codeHash, at) && at < 0) return;',
    },
  ]),
  mutation([219], 'Requests do not count toward the limit of the network.', {
    file: `${LINKS}/request-password-reset.ts`,
    find: 'if (!admitted.ok) return admitted;',
    replace: 'void admitted;',
  }),
  mutation([220], 'An admin gets a link by asking for it.', [
    {
      file: `${ADAPTER}/links/request-link.ts`,
      find: '  if (await wasAdmin(tx, user.id)) return undefined;\n',
      replace: '  void wasAdmin;\n',
    },
    {
      file: `${ADAPTER}/links/reset-link-records.ts`,
      find: 'or(sql`link.made_by is null and not ${IS_REQUESTED}`, not(WAS_ADMIN))',
      replace: 'or(sql`link.made_by is null`, not(WAS_ADMIN))',
    },
    {
      file: `${IN_MEMORY}/reset-link-repository.ts`,
      find: ' || state.onceAdmins.has(user.id)) return;',
      replace: ') return;',
    },
    {
      file: `${IN_MEMORY}/reset-link-repository.ts`,
      find: '    if (link.isRequested && state.onceAdmins.has(user.id)) return undefined;\n',
      replace: '',
    },
  ]),
  mutation([220], 'A link that was asked for outlives the promotion of its user.', [
    {
      file: `${ADAPTER}/links/reset-link-records.ts`,
      find: 'or(sql`link.made_by is null and not ${IS_REQUESTED}`, not(WAS_ADMIN))',
      replace: 'or(sql`link.made_by is null`, not(WAS_ADMIN))',
    },
    {
      file: `${ADAPTER}/links/end-links.ts`,
      find: "or([eb('user_id', '=', id), eb('made_by', '=', id)])",
      replace: "or([eb('made_by', '=', id)])",
    },
    {
      file: `${IN_MEMORY}/reset-link-repository.ts`,
      find: '    if (link.isRequested && state.onceAdmins.has(user.id)) return undefined;\n',
      replace: '',
    },
    {
      file: `${IN_MEMORY}/state.ts`,
      find: 'if (link.userId === userId || link.madeBy === userId)',
      replace: 'if (link.madeBy === userId)',
    },
  ]),
  mutation([220], 'The page is there while passwords are off.', {
    file: `${PAGES}/session/can-forget.ts`,
    find: "isMailSetUp && passwordSignIn === 'on'",
    replace: 'isMailSetUp && passwordSignIn !== (undefined as never)',
  }),
  mutation([221], 'A mail server without TLS gets messages.', {
    file: `${SMTP}/smtp-mailer.ts`,
    find: "requireTLS: tls === 'on',",
    replace: 'requireTLS: false,',
  }),
  mutation([221], 'The mail server does not get the password.', {
    file: `${SMTP}/smtp-mailer.ts`,
    find: '      ...(auth && { auth }),\n',
    replace: '',
  }),
  mutation([221], 'Any certificate is accepted.', {
    file: `${SMTP}/smtp-mailer.ts`,
    find: "tls: { minVersion: 'TLSv1.2',",
    replace: "tls: { rejectUnauthorized: false, minVersion: 'TLSv1.2',",
  }),
  mutation([222], 'Names are shown as they are.', {
    file: `${MAIL}/messages/lines.ts`,
    find: "  return short\n    .replaceAll('://', '[:]//')",
    replace: "  if (name !== '') return name;\n  return short\n    .replaceAll('://', '[:]//')",
  }),
  mutation([222], 'An address is read as a list of addresses.', {
    file: `${SMTP}/smtp-mailer.ts`,
    find: "to: { name: '', address: to },",
    replace: 'to,',
  }),
  mutation([223], 'A user can turn off messages about the own sign-in.', {
    file: `${MAIL}/recipients.ts`,
    find: "return kind === 'security' || preferences[kind];",
    replace: "return kind === 'security' ? preferences.account : preferences[kind];",
  }),
  mutation([223], 'Disabled users and users of suspended accounts get messages.', {
    file: `${MAIL}/recipients.ts`,
    find: '  if (user.disabledAt !== null || account.suspendedAt !== null) return false;\n',
    replace: '',
  }),
  mutation([223], 'Those who used the session of another person are the only ones who know.', {
    file: `${MAIL}/recipients.ts`,
    find: "rule.kind === 'security' || !madeIt(user)",
    replace: '!madeIt(user)',
  }),
  mutation([224], 'Each event is a message.', [
    {
      file: `${IN_MEMORY}/held-notices.ts`,
      find: 'recent.length >= limit ||',
      replace: 'recent.length > 1000 ||',
    },
    {
      file: `${ADAPTER}/mail/held-notices.ts`,
      find: 'at > ${since}) >= ${limit}',
      replace: 'at > ${since}) >= ${limit + 1000}',
    },
  ]),
  mutation([224], 'Two servers send the same message about several events.', {
    file: `${ADAPTER}/mail/held-notices.ts`,
    find: '\n          and (notices.taken_until is null or notices.taken_until <= ${moment(now)})',
    replace: '',
  }),
  mutation([225], 'A mail server that always answers a little holds a message for ever.', {
    file: `${SMTP}/smtp-mailer.ts`,
    find: 'return await Promise.race([exchanged, timedOut]);',
    replace: 'return await Promise.race([exchanged, exchanged, timedOut.then(() => exchanged)]);',
  }),
  mutation([225], 'A refusal about the sender drops the message.', {
    file: `${SMTP}/problem-of.ts`,
    find: "command === 'RCPT TO')",
    replace: "command !== 'DATA')",
  }),
  mutation([225], 'The error of a setting repeats the URL with its password.', {
    file: `${SMTP}/mail-server.ts`,
    find: "${text.includes('@') ? ENCODING : ''}`)",
    replace: "${text.includes('@') ? ENCODING : ''}, not ${text}`)",
  }),
  mutation([226], 'A link of a server of the previous version counts as mailed.', {
    file: `${ADAPTER}/links/link-records.ts`,
    find: 'coalesce(${sql.ref(`${link}.mailed_code_hash`)} = ${sql.ref(`${link}.code_hash`)}, false)',
    replace: '(${sql.ref(`${link}.mailed_code_hash`)} is not null)',
  }),
  mutation([226], 'A new code does not wait for the use of the one before.', {
    file: `${ADAPTER}/links/invitation-repository.ts`,
    find: 'const account = place && (await lockAccount(tx, place.accountId));\n        if (account?.suspendedAt !== null) return undefined;\n        const found = await selectLiving',
    replace:
      'const account = place && (await findAccount(tx, place.accountId));\n        if (account?.suspendedAt !== null) return undefined;\n        const found = await selectLiving',
  }),
];
