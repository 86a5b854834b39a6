export {
  type ChangeCommand,
  type CommandCaller,
  type DescribedCommand,
  defineChange,
  defineItem,
  defineList,
  type ItemCommand,
  type ListCommand,
  type Question,
} from './command.ts';
export type { CliLayer, CommandByHand, CommandLine, Suggestion, TypedId } from './layer.ts';
export { PageRefused, pageByPage } from './page-by-page.ts';
export { CREATED, dateOf, shortTime } from './time.ts';
export {
  A_NUMBER,
  ACCOUNT_ID,
  type ArgumentDescription,
  type Arguments,
  type InputOf,
  type Options,
  ORGANIZATION_ID,
  type Parser,
  parserOf,
  type SwitchOption,
  type ValueOption,
} from './values.ts';
export type { Column, Style, View } from './view.ts';
