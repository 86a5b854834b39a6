import type { Command } from 'commander';

/**
 * Adds a word that several commands begin with: a resource, such as `service`, or a part of one, such as `scope` in
 * `gatehouse service scope add`.
 */
export function addResource(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(summary).helpCommand('help [command]', 'Show help for a command');
}
