// The parsers of the settings. Loading them does not load the code that speaks SMTP.
export { MAIL_SERVER_FORM, type MailServer, parseMailServer } from './mail-server.ts';
export { parseSender, SENDER_FORM, type Sender } from './sender.ts';
