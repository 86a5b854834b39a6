import { isIP } from 'node:net';
import type { Routes } from '@gatehouse/api-contract';
import type { UsageReport } from '@gatehouse/domain/services';
import type { RouteRequest } from '@gatehouse/extension-kit/http';
import { plainAddress } from '@gatehouse/front';

type Body = RouteRequest<Routes['reportTokenUses']>['body'];

/** Returns the input of the use case. An address of the client that is no IP address is left out. */
export function toUsageReport({ uses, refusals }: Body): UsageReport {
  return {
    uses: uses.map(({ last_at: lastAt, client_address: address, ...use }) => {
      const isAddress = address !== undefined && isIP(address) !== 0;
      return { ...use, lastAt, from: isAddress ? plainAddress(address) : undefined };
    }),
    refusals: refusals.map(({ last_at: lastAt, client_address: _, ...refusal }) => ({ ...refusal, lastAt })),
  };
}
