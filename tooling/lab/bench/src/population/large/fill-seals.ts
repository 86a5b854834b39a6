import type pg from 'pg';

/** Events per seal, and characters of all their hashes, as a server seals them. */
const SEAL = { events: 500, hashes: 4000 };

/**
 * Stores rows of the size of seals for all events, so no server finds events to seal. Their MACs are not real, so the
 * log cannot be verified: sealing by the domain would take longer than everything else.
 */
export async function fillSeals(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO audit_seals (first_position, last_position, ids, through_id, digest, line_hashes, sealed_at, previous, mac)
    SELECT first, last, int8multirange(int8range(first, last, '[]')), last, md5('digest' || last), hashes.text, now(),
      md5('mac' || first - 1), md5('mac' || last)
    FROM (SELECT first, least(first + ${SEAL.events - 1}, max) AS last
      FROM (SELECT max(id) AS max FROM audit_events) newest, generate_series(1, max, ${SEAL.events}) first) AS batch
    CROSS JOIN LATERAL (SELECT string_agg(md5(first || '-' || n), '') AS text
      FROM generate_series(1, ${SEAL.hashes / 32}) n) AS hashes`);
}
