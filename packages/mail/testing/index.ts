export { type MailReceiver, openMailReceiver, type ReceiverOptions } from './mail-receiver.ts';
