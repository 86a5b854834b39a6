// What the settings need, without the code that speaks SMTP.
export { MAIL_SERVER_FORM, type MailServer, parseMailServer } from './mail-server.ts';
export { parseSender, type Sender } from './sender.ts';
