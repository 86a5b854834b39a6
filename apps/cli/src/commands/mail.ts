import { defineChange } from '../described/kinds.ts';
import { EMAIL } from '../input/parsers.ts';

const mailTest = defineChange({
  verb: 'test',
  summary: 'Send a message to see whether messages arrive',
  options: {
    to: { ...EMAIL, description: 'The address to which the message goes', required: true },
  },
  notes: [
    'Uses SMTP_URL, SMTP_TLS and MAIL_FROM of this machine. Servers may reach the mail server by another way: run the command where a server runs.',
  ],
  examples: ['gatehouse mail test --to ops@acme.example'],
  run: ({ sendTestMail }, caller, { to }) => sendTestMail(caller, { to }),
  note: ({ to }) => `The mail server took a message to ${to} over.`,
  document: ({ to }) => ({ to }),
});

export const commands = [mailTest];
