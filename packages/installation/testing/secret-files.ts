import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMasterKey } from '@gatehouse/key-encryption';

/** Settings with which no program starts, and what each has to say after its own prefix. */
export interface SecretCase {
  readonly settings: Readonly<Record<string, string>>;
  readonly line: string;
}

/** Words that no message may repeat. */
export const SECRET = 'hunter2';

const URL_FORM = 'a URL such as postgres://user:password@host:5432/database';
const KEY_FORM = '32 bytes in base64url (43 characters), as `gatehouse key new-master` prints them';

/** Makes files of secrets that cannot be used, and pairs them with the settings that name them. */
export async function brokenSecretFiles(folder: string, url: string): Promise<readonly SecretCase[]> {
  const file = async (name: string, text: string, mode = 0o600) => {
    const path = join(folder, name);
    await writeFile(path, text);
    await chmod(path, mode);
    return path;
  };
  const key = createMasterKey();
  const aFolder = join(folder, 'a-folder');
  await mkdir(aFolder, { mode: 0o700 });
  const link = join(folder, 'link');
  await symlink('nowhere', link);
  const secretUrl = `postgres://ada:${SECRET}@db.example/x`;
  const missing = join(folder, 'missing');
  const empty = await file('empty', '');
  const blank = await file('blank', ' \n\t\r\n');
  const goodUrl = await file('good-url', url);
  const goodKey = await file('good-key', key);
  const ofUrl = (path: string, line: string) => ({
    settings: { GATEHOUSE_MASTER_KEY: key, DATABASE_URL_FILE: path },
    line: `DATABASE_URL_FILE ${line}`,
  });
  const ofListenUrl = (path: string, line: string) => ({
    settings: { GATEHOUSE_MASTER_KEY: key, DATABASE_URL: url, DATABASE_LISTEN_URL_FILE: path },
    line: `DATABASE_LISTEN_URL_FILE ${line}`,
  });
  const ofKey = (path: string, line: string) => ({
    settings: { DATABASE_URL: url, GATEHOUSE_MASTER_KEY_FILE: path },
    line: `GATEHOUSE_MASTER_KEY_FILE: ${line}`,
  });
  const holds = (path: string, problem: string) => ofUrl(path, `names ${path}, whose content ${problem}`);
  const exposed = (path: string) => `other users can read ${path} (mode 0644): run \`chmod 600 ${path}\``;
  const readable = [
    await file('readable-url', url, 0o644),
    await file('readable-key', createMasterKey(), 0o644),
  ] as const;
  const noKey = (path: string) => ofKey(path, `${path} contains no master key: it must be ${KEY_FORM}`);
  return [
    ofUrl(missing, `names ${missing}, which cannot be read: no such file or directory`),
    ofListenUrl(missing, `names ${missing}, which cannot be read: no such file or directory`),
    ofUrl(link, `names ${link}, which cannot be read: it is a link to nowhere, which does not exist`),
    ofUrl(empty, `names ${empty}, which is empty: it must contain ${URL_FORM}`),
    ofUrl(blank, `names ${blank}, which is empty: it must contain ${URL_FORM}`),
    ofUrl(aFolder, `names ${aFolder}, which is a folder: name the file in it`),
    ofUrl(readable[0], `names a file that must be private: ${exposed(readable[0])}`),
    holds(
      await file('two-lines', `${secretUrl}\n${secretUrl}\n`),
      `has several lines, or control characters: it must be ${URL_FORM}`,
    ),
    holds(await file('no-port', `postgres://ada:${SECRET}@db.example:port/x`), `must be ${URL_FORM}`),
    holds(await file('assigned', `DATABASE_URL=${secretUrl}\n`), `must be ${URL_FORM}`),
    ofUrl(secretUrl, 'must be the name of a file, but is a URL'),
    {
      settings: { GATEHOUSE_MASTER_KEY: key, DATABASE_URL: url, DATABASE_URL_FILE: goodUrl },
      line: 'DATABASE_URL and DATABASE_URL_FILE are both set: set one of them',
    },
    ofKey(missing, `${missing} cannot be read: no such file or directory`),
    ofKey(link, `${link} cannot be read: it is a link to nowhere, which does not exist`),
    ofKey(aFolder, `${aFolder} cannot be read: it is a folder: name the file in it`),
    noKey(empty),
    noKey(blank),
    noKey(await file('no-key', SECRET)),
    noKey(await file('two-keys', `${createMasterKey()}\n${createMasterKey()}\n`)),
    ofKey(readable[1], exposed(readable[1])),
    ofKey(createMasterKey(), 'the value must be the name of a file, but is a master key'),
    {
      settings: { DATABASE_URL: url, GATEHOUSE_MASTER_KEY: key, GATEHOUSE_MASTER_KEY_FILE: goodKey },
      line: 'GATEHOUSE_MASTER_KEY and GATEHOUSE_MASTER_KEY_FILE are both set: set one of them',
    },
    {
      settings: { DATABASE_URL_FILE: goodUrl, GATEHOUSE_MASTER_KEY: '', GATEHOUSE_MASTER_KEY_FILE: '' },
      line: 'a master key is required when DATABASE_URL is set: give it in GATEHOUSE_MASTER_KEY or in the file that GATEHOUSE_MASTER_KEY_FILE names (`gatehouse key new-master` prints a new one)',
    },
  ];
}

/** Settings that name files which another user than root may not read; only root can make them. */
export async function unreadableSecretFiles(
  folder: string,
  url: string,
  user: { readonly uid: number; readonly name: string },
): Promise<readonly SecretCase[]> {
  const [urlFile, keyFile] = [join(folder, 'of-root-url'), join(folder, 'of-root-key')];
  await writeFile(urlFile, url, { mode: 0o600 });
  await writeFile(keyFile, createMasterKey(), { mode: 0o600 });
  await chown(folder, user.uid, user.uid);
  const denied = `cannot be read: permission denied to the user ${user.name}`;
  return [
    {
      settings: { GATEHOUSE_MASTER_KEY: createMasterKey(), DATABASE_URL_FILE: urlFile },
      line: `DATABASE_URL_FILE names ${urlFile}, which ${denied}`,
    },
    {
      settings: { DATABASE_URL: url, GATEHOUSE_MASTER_KEY_FILE: keyFile },
      line: `GATEHOUSE_MASTER_KEY_FILE: ${keyFile} ${denied}`,
    },
  ];
}
