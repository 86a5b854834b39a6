import { type MigrationConnection, sql } from '@gatehouse/extension-kit/postgres';

/** Shift notes are deleted with their organization, even by a version of Gatehouse that does not know them. */
export async function up(db: MigrationConnection): Promise<void> {
  await sql`
    create table shift_notes.shift_notes (
      id bigint generated always as identity primary key,
      account_id bigint not null,
      organization_id bigint not null,
      text text not null,
      severity text not null check (severity in ('info', 'warning', 'urgent')),
      due_on date,
      created_at timestamptz(3) not null,
      closed_at timestamptz(3),
      constraint shift_notes_organization
        foreign key (organization_id, account_id) references organizations (id, account_id) on delete cascade
    )`.execute(db);
  // For the foreign key, too.
  await sql`
    create index shift_notes_organization_id on shift_notes.shift_notes (organization_id, id)`.execute(db);
}
