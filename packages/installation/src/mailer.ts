import { err, ok } from '@gatehouse/domain';
import type { Mailer } from '@gatehouse/domain/mail';
import { parseMailServer } from '@gatehouse/mail/settings';
import { type InstallationSettings, readMailServerFile } from './settings/installation-settings.ts';
import { follow } from './settings/secret-file.ts';

type MailSettings = Pick<InstallationSettings, 'SMTP_URL' | 'SMTP_URL_FILE' | 'SMTP_TLS' | 'MAIL_FROM'>;

/** Returns the lines for the settings without which a server cannot send messages; none if no mail server is named. */
export function mailSettingsProblems(
  settings: MailSettings & { readonly PUBLIC_URL?: string | undefined },
): readonly string[] {
  const name = settings.SMTP_URL_FILE ? 'SMTP_URL_FILE' : 'SMTP_URL';
  if (settings[name] === undefined) return [];
  return [
    ...(settings.MAIL_FROM
      ? []
      : [`MAIL_FROM must be set, because ${name} is: it says from whom messages are`]),
    ...(settings.PUBLIC_URL
      ? []
      : [`PUBLIC_URL must be set, because ${name} is: messages have links to the pages`]),
  ];
}

/**
 * Creates the port for the mail server of the settings; undefined if they name none, or not from whom messages are. The
 * code that speaks SMTP is loaded for the first message.
 *
 * @param onProblem called if the file with the URL was changed and cannot be used; the former URL is used
 */
export function createMailer(
  { SMTP_URL, SMTP_URL_FILE, SMTP_TLS, MAIL_FROM: sender }: MailSettings,
  onProblem: (problem: string) => void,
): Mailer | undefined {
  const first = SMTP_URL ?? SMTP_URL_FILE?.value;
  if (first === undefined || sender === undefined) return undefined;
  const url = SMTP_URL_FILE?.isRegular ? followUrl(SMTP_URL_FILE, onProblem) : () => first;
  let loaded: Promise<Mailer> | undefined;
  const load = (): Promise<Mailer> => {
    loaded ??= import('@gatehouse/mail').then(({ createSmtpMailer }) =>
      createSmtpMailer({ server: () => serverOf(url()), sender, tls: SMTP_TLS }),
    );
    return loaded;
  };
  return {
    send: async (mail) => (await load()).send(mail),
    check: async () => (await load()).check(),
  };
}

function followUrl(
  { path, value }: NonNullable<MailSettings['SMTP_URL_FILE']>,
  onProblem: (problem: string) => void,
): () => string {
  const readAgain = () => {
    const read = readMailServerFile(path);
    return read.ok ? ok(read.value.value) : err(`SMTP_URL_FILE ${read.error}: its previous URL is used`);
  };
  return follow(value, readAgain, onProblem);
}

function serverOf(url: string) {
  const parsed = parseMailServer(url);
  // The setting was checked.
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
}
