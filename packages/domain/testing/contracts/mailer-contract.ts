import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mail, Mailer } from '../../src/mail/index.ts';
import type { Email } from '../../src/users/index.ts';

/** A mail server, and a Mailer that hands messages over to it. */
export interface MailScene extends AsyncDisposable {
  readonly mailer: Mailer;
  /** Returns the messages that the mail server took over, as their recipients see them. */
  received(): Promise<readonly Mail[]>;
  /** Makes the mail server refuse this recipient for good. */
  refuseRecipient(to: string): void;
  /** Makes the mail server ask for every message later. */
  defer(): void;
  /** Stops the mail server. */
  takeAway(): Promise<void>;
}

const MAIL: Mail = {
  to: 'ada@acme.example' as Email,
  subject: 'Token "deploy" expires in 7 days',
  text: 'Hello Ada,\n\n.a line with a dot at the beginning\nÄöü — €, 日本\n\nhttps://gatehouse.example/settings\n',
  messageId: 'notice-7-1',
};

/** The contract of every Mailer. */
export function mailerContract(name: string, open: () => Promise<MailScene>): void {
  describe(`${name} as Mailer`, () => {
    let scene: MailScene;
    beforeEach(async () => {
      scene = await open();
    });
    afterEach(() => scene[Symbol.asyncDispose]());

    it('hands a message over as it is', async () => {
      expect(await scene.mailer.send(MAIL)).toEqual({ kind: 'sent' });
      expect(await scene.received()).toEqual([MAIL]);
    });

    it('sends a message again with the same id', async () => {
      await scene.mailer.send(MAIL);
      await scene.mailer.send(MAIL);
      expect((await scene.received()).map(({ messageId }) => messageId)).toEqual([
        MAIL.messageId,
        MAIL.messageId,
      ]);
    });

    it('keeps letters of all scripts in the subject', async () => {
      const subject = `Einladung zu Müller & Söhne — 東京 ${'ä'.repeat(100)}`;
      await scene.mailer.send({ ...MAIL, subject });
      expect((await scene.received())[0]?.subject).toBe(subject);
    });

    it('tells a recipient that is refused for good from a message that is wanted later', async () => {
      scene.refuseRecipient('gone@acme.example');
      const gone = { ...MAIL, to: 'gone@acme.example' as Email };
      expect(await scene.mailer.send(gone)).toEqual({ kind: 'failed', problem: 'recipient_refused' });
      expect(await scene.mailer.send(MAIL)).toEqual({ kind: 'sent' });
      scene.defer();
      expect(await scene.mailer.send(MAIL)).toEqual({ kind: 'failed', problem: 'deferred' });
    });

    it('checks the mail server and sends nothing', async () => {
      expect(await scene.mailer.check()).toBeUndefined();
      expect(await scene.received()).toEqual([]);
      await scene.takeAway();
      expect(await scene.mailer.check()).toBe('not_reachable');
      expect(await scene.mailer.send(MAIL)).toEqual({ kind: 'failed', problem: 'not_reachable' });
    });
  });
}
