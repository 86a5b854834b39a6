export { type MailServer, parseMailServer } from './mail-server.ts';
export { parseSender, type Sender } from './sender.ts';
export { createSmtpMailer, type SmtpOptions } from './smtp-mailer.ts';
