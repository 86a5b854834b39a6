import type { Diagram } from '../diagram.ts';
import { arrow, lines } from '../shapes.ts';
import { bar, explanation, moment } from '../time-axis.ts';

/** The moments from left to right. */
const [ROTATED, DELIVERED, FIRST_USE, END] = [120, 185, 250, 362] as const;

const bars = { top: 36, bottom: 128 };
const oldToken = bar('plain', 'old token', { y: 44, from: 8, to: END });
const newToken = bar('ours', 'new token', { y: 88, from: ROTATED, to: END + 70, titleAt: FIRST_USE });

export const rotation: Diagram = {
  name: 'rotation',
  title: 'A rotation in time',
  text: 'A rotation of a token in time. 1: an admin rotates the token, which creates the new one; both are accepted. 2: the program gets the new token. 3: the program uses the new token for the first time, and the grace period of the old one begins. 4: after the grace period, a day unless another is chosen, the old token ends. If the new token is never used, the old one stays valid until it expires.',
  shapes: [
    lines(['a day of grace'], { x: FIRST_USE - 6, y: 4 }),
    arrow({ x: FIRST_USE, y: 31 }, { x: END, y: 31 }, { bothEnds: true }),
    oldToken,
    newToken,
    moment(1, ROTATED, bars),
    moment(2, DELIVERED, bars),
    moment(3, FIRST_USE, bars),
    moment(4, END, bars),
    explanation(1, ['An admin rotates the token. Both tokens', 'are accepted from now on.'], 172),
    explanation(2, ['The program gets the new token.'], 218),
    explanation(3, ['Its first use begins the grace period.'], 252),
    explanation(
      4,
      ['The old token ends. If the new one is never', 'used, the old one stays until it expires.'],
      286,
    ),
  ],
};
