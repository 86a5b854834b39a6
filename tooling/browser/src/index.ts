export { findTextFaults } from './find-text-faults.ts';
export { findViolations } from './find-violations.ts';
export { newPage, type PageOptions } from './new-page.ts';
export { openBrowser } from './open-browser.ts';
export { picture } from './picture.ts';
export { validateHtml } from './validate-html.ts';
export { signIn } from './world/sign-in.ts';
export { type Person, startWorld, type World } from './world/start-world.ts';
