import {
  createPeople,
  createTokens,
  createUser,
  DAY,
  id,
  listEverything,
  NO_TOKEN,
  PASSWORD,
  SECOND,
  type Session,
  use,
  watch,
} from './recorded-steps.ts';
import { aTemporaryFolder } from './temporary-folder.ts';

/** Commands whose output is recorded, including refusals. Each session has an empty store. */
export const SESSIONS: Readonly<Record<string, (session: Session) => Promise<void>>> = {
  async accounts(session) {
    const { run } = session;
    const { clock } = session.cli;
    await listEverything(session, 'account');
    await createPeople(session);
    await run('account create --json');
    await run('account create --name "" --json');
    clock.advance(DAY);
    await run('account suspend 2 --json');
    await run('account suspend two --yes --json');
    await run('account suspend 9 --yes --json');
    await run('account suspend 2 --reason "invoice overdue" --yes --json');
    await run('account suspend 2 --yes --json');
    await run('token create --as ada@bolt.example --name ERP --json');
    await listEverything(session, 'account');
    clock.advance(DAY);
    await run('account resume 9 --json');
    await run('account resume 2 --json');
    await run('account resume 2 --json');
    await run('account resume 2');
    await run('account list --quiet --jsonl');
    await run('account list --json --jsonl');
    await run('account remove 2');
    await run('account create --name " Acme" --quiet');
    await run('account create --name "Cog Works" --quiet');
    await run('audit list --json');
  },

  async users(session) {
    const { run } = session;
    const { clock } = session.cli;
    await listEverything(session, 'user');
    await createPeople(session);
    await createUser(session, 'ADA@acme.example', '--role member --json');
    await createUser(session, 'no address', '--role member --json');
    await createUser(session, 'dora@acme.example', '--role owner --json');
    await run('user create --account 1 --email dora@acme.example --name Dora --role admin --json');
    await run(
      'user create --account 1 --email dora@acme.example --name Dora --role admin --password-stdin --json',
      'password',
    );
    await run(
      'user create --account 9 --email dora@acme.example --name Dora --role admin --password-stdin --json',
      PASSWORD,
    );
    await listEverything(session, 'user');
    await run('user list --account 2 --json');
    await run('user list --account 2 --jsonl');
    await run('user list --account 9 --json');
    clock.advance(DAY);
    await run('user set-role cy@acme.example --role admin --json');
    await run('user set-role cy@acme.example --role admin --json');
    await run('user set-role cy@acme.example --role member');
    await run('user set-role nobody@acme.example --role member --json');
    await run('user set-password cy@acme.example --password-stdin --json', 'another heavy press');
    await run('user set-password cy@acme.example --password-stdin --json', 'short');
    await run('user set-password cy@acme.example --json');
    await run('user set-password nobody@acme.example --password-stdin --json', PASSWORD);
    await run('token create --as bo@acme.example --name Scale --json');
    await run('token create --as bo@acme.example --name Wiki --json');
    await run('token create --as ada@acme.example --name Wiki --json');
    await run('user disable bo@acme.example --json');
    await run('user disable bo@acme.example --transfer-tokens ada@acme.example --yes --json');
    await run('user disable bo@acme.example --transfer-tokens cy@acme.example --yes --json');
    await run('user disable bo@acme.example --reason left --yes --json');
    await run('user disable bo@acme.example --yes --json');
    await run('user disable ada@acme.example --yes --json');
    await run('user disable nobody@acme.example --yes --json');
    await run('user set-role ada@acme.example --role member --json');
    await run('token create --as bo@bolt.example --name Press --json');
    await run('user disable bo@bolt.example --transfer-tokens ada@bolt.example --yes --json');
    await run('token list --json');
    await run('audit list --user bo@acme.example --json');
    await listEverything(session, 'user');
    clock.advance(DAY);
    await run('user enable bo@acme.example --json');
    await run('user enable bo@acme.example --json');
    await run('user enable nobody@acme.example --json');
    await run('user list --json');
  },

  async organizations(session) {
    const { run } = session;
    const { clock } = session.cli;
    await createPeople(session);
    await listEverything(session, 'org');
    await run('org create --account 1 --name "Press shop" --json');
    await run('org create --account 1 --name Foundry --description "Castings of ☃ iron" --json');
    await run('org create --account 2 --name Köln --description "東京"');
    await run('org create --account 9 --name Press --json');
    await run('org create --account 1 --name "" --json');
    await listEverything(session, 'org');
    await run('org list --account 1 --json');
    await run('org list --account 2 --jsonl');
    await run('org list --account 9 --json');
    clock.advance(DAY);
    await run('org update 9 --name "Press hall" --json');
    await run('org update 9 --name "Press hall" --json');
    await run('org update 9 --description "Since 1911" --json');
    await run('org update 10 --description "" --json');
    await run('org update 10 --json');
    await run('org update 99 --name Press --json');
    await run('org add-member 9 cy@acme.example --json');
    await run('org add-member 9 cy@acme.example --json');
    await run('org add-member 9 cy@bolt.example --json');
    await run('org add-member 9 nobody@acme.example --json');
    await run('org add-member 99 cy@acme.example --json');
    await run('org remove-member 9 cy@acme.example --json');
    await run('org remove-member 9 cy@acme.example --json');
    await run('org remove-member 9 nobody@acme.example --json');
    await run('org remove-member 99 cy@acme.example --json');
    await run('org add-member 9 bo@acme.example');
    await run('org delete 9 --json');
    await run('org delete 9 --yes --json');
    await run('org delete 9 --yes --json');
    await run('org list --json');
  },

  async tokens(session) {
    const { run, hide } = session;
    const { clock } = session.cli;
    await run('token list --json');
    await run('token list --jsonl');
    await createTokens(session);

    await run('token list');
    for (const format of ['json', 'jsonl']) {
      await run(`token list --${format}`);
      await run(`token list --as ada@acme.example --${format}`);
      await run(`token list --state revoked --${format}`);
    }
    const states = 'active being_replaced key_retired revoked expired user_disabled account_suspended';
    const filters = [
      ...states.split(' ').map((state) => `--state ${state}`),
      ...['--creator ada@acme.example', '--creator-inactive', '--kind api', '--kind sign-in'],
      ...['--key <paseto key 1>', '--key <jwt key 1>', '--key no-key'],
      ...['--unused-for 1d', '--unused-for 90d', '--unused-for 99999999d', '--never-expiring'],
      ...['--expiring-within 1d', '--expiring-within 60d', '--expiring-within 60d --kind api'],
    ];
    for (const filter of filters) await run(`token list ${filter} --jsonl`);
    await run('token list --as cy@acme.example --json');
    await run('token list --as ada@bolt.example --json');
    await run('token list --creator nobody@acme.example --json');
    await run('token list --creator ada@bolt.example --as ada@acme.example --json');
    await run('token list --creator "" --json');
    await run('token list --key "a b" --json');
    await run('token list --state asleep --json');
    await run('token list --unused-for 1y --json');

    for (const count of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
      await run(`token show ${id(count)}`);
      await run(`token show ${id(count)} --json`);
    }
    await run('token show Label --json');
    await run('token show Replaced --json');
    await run('token show Wiki --as ada@acme.example --json');
    await run('token show ERP --json');
    await run('token show Nothing --json');
    await run(`token show ${NO_TOKEN} --json`);
    await run(`token show ${id(6)} --as ada@acme.example --json`);

    for (const token of ['<paseto token 1>', '<paseto token 2>', '<jwt token 1>', '<paseto token 4>']) {
      await run('token inspect', token);
      await run('token inspect --json', token);
    }
    await run('token inspect --json', 'Bearer <paseto token 1>\n');
    await run('token inspect --json', '<paseto token 1>x');
    await run('token inspect --json', 'a letter');
    await run('token inspect --json', '');
    await run('token inspect <paseto token 1> --json');
    await run('token inspect --as bo@acme.example --json', '<paseto token 5>');
    await run('token inspect --as bo@bolt.example --json', '<paseto token 1>');

    await run(`token revoke ${id(1)} --as ada@acme.example --json`);
    await run(`token revoke ${id(1)} --yes --json`);
    await run(`token revoke ${id(1)} --as ada@acme.example --dry-run --json`);
    await run(`token revoke ${id(1)} --as ada@acme.example --reason leaked --yes --json`);
    await run(`token revoke ${id(1)} --as ada@acme.example --yes --json`);
    await run(`token revoke ${id(6)} --as ada@acme.example --yes --json`);
    await run(`token revoke ${NO_TOKEN} --as ada@acme.example --yes --json`);
    await run(`token revoke Wiki ${id(3)} --as ada@acme.example --dry-run --json`);
    await run(`token revoke ${id(2)} ${NO_TOKEN} ${id(3)} --as ada@acme.example --dry-run --json`);
    await run(`token revoke ${id(2)} ${NO_TOKEN} ${id(3)} --as ada@acme.example --yes --json`);
    await run('token revoke Scale Nothing --as ada@acme.example --yes --json');
    await run('token revoke ERP --as ada@acme.example --yes --json');
    const pasted = '<jwt token 1>\n\na letter\n<jwt token 1>\n<paseto token 4>\na letter\n';
    await run('token revoke --stdin --as ada@acme.example --dry-run --json', pasted);
    await run('token revoke --stdin --as ada@acme.example --yes --json', pasted);
    await run('token revoke --as ada@acme.example --yes --json');

    await run('token prune --older-than 30d --dry-run --json');
    await run('token prune --older-than 30d --json');
    await run('token prune --json');
    clock.advance(100 * DAY);
    await run('token prune --older-than 30d --dry-run --json');
    await run('token prune --older-than 30d --yes --json');
    await run('token prune --older-than 30d --yes --json');
    await run('token list --json');

    const folder = await aTemporaryFolder();
    hide(folder, '<folder>');
    await run('token create --as ada@acme.example --name Filed --out <folder>/filed.token --json');
    await run('token create --as ada@acme.example --name Filed2 --out <folder>/filed.token --json');
  },

  async rotation(session) {
    const { run } = session;
    const { clock } = session.cli;
    await createPeople(session);
    await run('token create --as ada@acme.example --name ERP');
    await run('token create --as ada@acme.example --name Scale --expires-in 90d --scope orgs:read');
    await run('token create --as ada@acme.example --name Wiki --expires-in 1d');
    clock.advance(DAY / 2);
    await run(`token rotate ${id(1)} --json`);
    await run(`token rotate ${id(1)} --as ada@acme.example --json`);
    await run(`token show ${id(1)} --json`);
    await run(`token rotate ${id(1)} --as ada@acme.example --json`);
    await run(`token rotate ${id(4)} --as ada@acme.example --json`);
    // A refused rotation takes an id, too.
    await run(`token rotate ${id(2)} --as ada@acme.example --grace 7d --format jwt`);
    await run('token list --json');
    clock.advance(SECOND);
    await use(session, 4);
    await run(`token show ${id(1)} --json`);
    await run(`token show ${id(4)} --json`);
    await run('token list --state being_replaced --json');
    await run('token inspect --json', '<paseto token 1>');
    await run(`token rotate ${id(4)} --as ada@acme.example --now --json`);
    await run(`token rotate ${id(4)} --as ada@acme.example --now --yes --json`);
    await run(`token show ${id(4)} --json`);
    await run(`token show ${id(8)} --json`);
    clock.advance(DAY);
    await run('token list --json');
    await run(`token rotate ${id(3)} --as ada@acme.example --json`);
    await run(`token rotate ${id(7)} --as bo@bolt.example --json`);
    await run(`token rotate ${id(7)} --as cy@acme.example --json`);
    await run(`token rotate ${NO_TOKEN} --as ada@acme.example --json`);
    await run(`token rotate ${id(7)} --as ada@acme.example --now --grace 7d --json`);
    await run(`token rotate ${id(7)} --as ada@acme.example --grace 367d --json`);
    await run('token create --as ada@bolt.example --name Scale');
    await run('token show Scale --json');
    await run('token rotate Scale --as ada@bolt.example');
    await run('token show Scale --as ada@bolt.example');
    await run('token revoke Scale --as ada@bolt.example --yes');
    await run('audit list --json');
  },

  async keys(session) {
    const { run } = session;
    const { clock } = session.cli;
    await listEverything(session, 'key');
    await createPeople(session);
    await run('token create --as ada@acme.example --name ERP --json');
    await run('token create --as ada@acme.example --name Scale --expires-in 90d --json');
    await run('token create --as ada@acme.example --name Wiki --format jwt --json');
    await listEverything(session, 'key');
    clock.advance(DAY);
    await run('key create');
    clock.advance(SECOND);
    await run('key create --format jwt --json');
    await run('key create --format pgp --json');
    await run('key activate <jwt key 2> --json');
    for (const unknown of ['no-key', '-hJ5', '--Zx', '-9', 'a/b'])
      await run(`key activate ${unknown} --json`);
    clock.advance(DAY);
    await run('key activate <paseto key 2> --json');
    await run('key activate <paseto key 2> --json');
    await run('key activate <jwt key 2> --json');
    clock.advance(DAY);
    await run('key create --json');
    await listEverything(session, 'key');
    await run('doctor --json');
    await run('key retire <paseto key 1> --json');
    await run('key retire <paseto key 1> --yes --json');
    await run('key retire <paseto key 2> --yes --json');
    await run('key retire <paseto key 3> --yes --json');
    await run('key retire no-key --yes --json');
    await run('key retire <jwt key 1> --revoke-tokens --yes --json');
    await run('key retire <jwt key 1> --revoke-tokens --yes --json');
    await run(`token revoke ${id(1)} --as ada@acme.example --yes --quiet --json`);
    await run('key list --json');
    clock.advance(100 * DAY);
    await run('key list');
    await run('key list --json');
    await run('doctor --json');
    await run('key retire <paseto key 1> --yes --json');
    await listEverything(session, 'key');
    await run('token list --json');
    await run('token inspect --json', '<paseto token 1>');
    await run('key rewrap --json');
    await run('key rewrap');
    await run('audit list --key <paseto key 1> --json');
    await run('audit list --action key.retired --json');
    for (const line of ['key new-master', 'key new-master --json']) {
      const made = await session.cli.run(line.split(' '));
      session.hide(/[\w+/=-]{40,}/.exec(made.stdout)?.[0] ?? '', '<master key>');
      session.add(line, made);
    }
  },

  async audit(session) {
    const { run } = session;
    const { clock } = session.cli;
    await run('audit list --json');
    await run('audit list --jsonl');
    await createTokens(session);
    await run('org create --account 1 --name Foundry');
    await run('org add-member 10 cy@acme.example');
    await run('org delete 10 --yes');
    for (const format of ['', '--json', '--jsonl']) await run(`audit list ${format}`.trim());
    const filters = [
      ...['--account 1', '--account 9', '--actor ada@acme.example', '--actor tester', '--actor nobody'],
      ...['--action token.revoked', '--action account.suspended', `--token ${id(1)}`, `--token ${NO_TOKEN}`],
      ...['--user bo@acme.example', '--org 10', '--key <paseto key 1>', '--key no-key'],
      ...['--since 1d', '--until 1d', '--since 2026-01-02T00:00:00Z --until 2026-01-04T00:00:00Z'],
      ...['--limit 1', '--account 1 --actor ada@acme.example --action token.created --limit 2'],
    ];
    for (const filter of filters) await run(`audit list ${filter} --jsonl`);
    await run('audit list --user nobody@acme.example --json');
    await run('audit list --action nothing --json');
    await run('audit list --since yesterday --json');
    await run('audit list --limit 0 --json');
    for (const both of [
      `--token ${id(1)} --user ada@acme.example`,
      '--user ada@acme.example --org 1',
      '--org 1 --key k',
    ]) {
      await run(`audit list ${both} --json`);
    }
    clock.advance(100 * DAY);
    await run('audit list --since 90d --json');
  },

  async installation(session) {
    const { run, cli, add } = session;
    await run('migrate --json');
    await run('doctor --json');
    await createTokens(session);
    await run('doctor --json');
    cli.clock.advance(200 * DAY);
    await run('doctor --json');
    for (const shell of ['bash', 'zsh', 'fish', 'csh']) await run(`completion ${shell}`);

    for (const [line, lines] of [
      ['token watch', 2],
      ['token watch --jsonl --quiet', 2],
      [`token watch ${id(1)} --as ada@acme.example --jsonl`, 1],
    ] as const) {
      add(line, await watch(session, line.split(' '), lines));
    }
    await run('token watch --as nobody@acme.example --jsonl');
    await run(`token watch ${NO_TOKEN} --jsonl`);
    await run(`token watch ${id(6)} --as ada@acme.example --jsonl`);
    await run('token watch ERP --jsonl');
    await run('token watch --json');
  },
};
