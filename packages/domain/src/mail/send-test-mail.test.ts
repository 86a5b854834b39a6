import { expect, test } from 'vitest';
import { createFakeMailer, createWorldWithAdmins, inPerson, OPERATOR } from '../../testing/index.ts';
import { err, ok } from '../result.ts';
import { sendTestMail } from './send-test-mail.ts';

const TO = { to: 'ada@acme.example' };

test('an operator sends a message to see whether messages arrive', async () => {
  const { world, ada } = await createWorldWithAdmins();
  const mailer = createFakeMailer();
  const send = sendTestMail({ ...world, mailer });
  expect(await send(OPERATOR, TO)).toEqual(ok(TO));
  expect(mailer.sent).toMatchObject([{ ...TO, subject: 'Test message of Gatehouse' }]);
  expect(await send(inPerson(ada), TO)).toEqual(err({ code: 'not_allowed' }));
  expect(await send(OPERATOR, { to: 'ada' })).toMatchObject({ error: { code: 'invalid_input' } });
  mailer.fail('no_tls');
  expect(await send(OPERATOR, TO)).toEqual(err({ code: 'mail_not_sent', problem: 'no_tls' }));
  expect(mailer.sent).toHaveLength(1);
});

test('without a mail server nothing is sent', async () => {
  const { world } = await createWorldWithAdmins();
  const send = sendTestMail({ ...world, mailer: undefined });
  expect(await send(OPERATOR, TO)).toEqual(err({ code: 'mail_not_set_up' }));
});
