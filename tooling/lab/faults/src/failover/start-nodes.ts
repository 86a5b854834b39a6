import { type ServerNode, type Settings, startNode } from '../stage/node.ts';

/** A server waits 0.9 s for its first connection, which is too short on a machine that runs other tests. */
const ATTEMPTS = 5;

/** Starts servers one after another, and repeats a start that could not reach the database in time. */
export async function startNodes(count: number, settings: Settings): Promise<readonly ServerNode[]> {
  const nodes: ServerNode[] = [];
  while (nodes.length < count) nodes.push(await startPatiently(settings));
  return nodes;
}

async function startPatiently(settings: Settings, attempt = 1): Promise<ServerNode> {
  try {
    return await startNode(settings);
  } catch (error) {
    if (attempt === ATTEMPTS || !/cannot be reached/.test(String(error))) throw error;
    return startPatiently(settings, attempt + 1);
  }
}
