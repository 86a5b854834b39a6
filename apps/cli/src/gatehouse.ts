import type {
  ActAs,
  ActivateKey,
  AddMember,
  CreateAccount,
  CreateKey,
  CreateOrganization,
  CreateUser,
  EnsureKeys,
  IssueToken,
  ListAccounts,
  ListKeys,
  ListOrganizations,
  ListTokens,
  ListUsers,
  RevokeToken,
  ShowToken,
} from '@gatehouse/domain';

/** What commands can do, as the domain has it. */
export interface UseCases {
  readonly actAs: ActAs;
  readonly activateKey: ActivateKey;
  readonly addMember: AddMember;
  readonly createAccount: CreateAccount;
  readonly createKey: CreateKey;
  readonly createOrganization: CreateOrganization;
  readonly createUser: CreateUser;
  readonly ensureKeys: EnsureKeys;
  readonly issueToken: IssueToken;
  readonly listAccounts: ListAccounts;
  readonly listKeys: ListKeys;
  readonly listOrganizations: ListOrganizations;
  readonly listTokens: ListTokens;
  readonly listUsers: ListUsers;
  readonly revokeToken: RevokeToken;
  readonly showToken: ShowToken;
}

/** The use cases on a database that is open, and closed with them. */
export type Gatehouse = UseCases & AsyncDisposable;
