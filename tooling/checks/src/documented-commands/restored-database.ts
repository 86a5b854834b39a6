// The contents of the database that the documents' commands back up and restore, and its changes between the two.

/** The tables of an extension, as `migrate` makes them. */
export const EXTENSION = `set role gatehouse;
  create schema shift_notes;
  create table shift_notes.shift_notes (organization_id bigint references organizations on delete cascade, text text);
  insert into shift_notes.shift_notes values (null, 'Press 4 leaks')`;

/** A constraint of another role. If a superuser's session restores the table, it makes that role a superuser. */
export const PLANTED = `create role other;
  grant create on database gatehouse to other;
  set role other;
  create schema planted;
  create function planted.fits(int) returns boolean language plpgsql as $$ begin
    if current_database() = 'gatehouse_restored' then reset role; alter role other superuser; end if;
    return true;
  end $$;
  create table planted.numbers (number int check (planted.fits(number)));
  insert into planted.numbers values (1);
  reset role;
  revoke create on database gatehouse from other;`;

/** Two admins, a token, and an export. */
export const GIVEN = `./gatehouse account create --name Acme
  for each in ada bo; do
    echo 'a heavy press, twice' | ./gatehouse user create --account 1 --email $each@acme.example --name $each --role admin --password-stdin
  done
  ./gatehouse token create --as ada@acme.example --name ERP --expires-in 90d
  ./gatehouse audit export --to audit.jsonl`;

/** Changes after the backup, in the database that is lost. */
export const TAKEN_AWAY = `(
  export DATABASE_URL=postgres://gatehouse:secret@127.0.0.1:5432/gatehouse
  ./gatehouse token create --as bo@acme.example --name Later
  ./gatehouse token revoke --as ada@acme.example ERP --yes
  ./gatehouse user disable bo@acme.example --yes
  ./gatehouse audit export --to audit.jsonl
)`;
