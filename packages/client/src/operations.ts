// Written from the OpenAPI document by `npm run docs`: change the document instead.

import type { Answer, ProblemOf } from './answer.ts';
import type { Operation } from './operation.ts';

export interface Organization {
  /** The same as in the path, as a number. */
  readonly id: number;
  /** For display. */
  readonly name: string;
  /** Free text; null if there is none. */
  readonly description: string | null;
}

export interface SignInRequest {
  /** The user's email; upper and lower case are the same. */
  readonly email: string;
  /** The user's password, of at most 1024 code points: no character is trimmed, and the normal form (RFC 8265) does not matter. */
  readonly password: string;
}

export interface SignInAnswer {
  /** The bearer token of the requests that follow. */
  readonly token: string;
}

export interface Me {
  readonly id: number;
  /** `person`, or `service` for a service account: a program, which cannot sign in. */
  readonly kind: "person" | "service";
  /** As it was entered; the user signs in with it. A service account has no address: this is its id and `@service.invalid`. */
  readonly email: string;
  /** The user's name, for display. */
  readonly name: string;
  /** Admins manage the account; members see their organizations. */
  readonly role: "admin" | "member";
  /** The account that the user and all its organizations belong to. */
  readonly account: {
    readonly id: number;
    readonly name: string;
  };
  /** The token that was sent. */
  readonly token: {
    /** Identifies the token in the audit log and in commands. It may be shown. */
    readonly id: string;
    /** What the token is for, as its creator named it. */
    readonly name: string;
    /** `api` if an admin created it for an integration, `sign-in` if signing in did. */
    readonly kind: "api" | "sign-in";
    /** The most that the token allows; it never allows more than its user may do. */
    readonly scopes: readonly string[];
    /** When the token was created. */
    readonly created_at: string;
    /** From when it is not accepted; null if it never expires. */
    readonly expires_at: string | null;
    /** When it was last used; this request counts. */
    readonly last_used_at: string;
  };
}

export interface IntrospectionRequest {
  /** The token that the service received. */
  readonly token: string;
  /** The IP address of the client that sent the token to the service; any other text is ignored. */
  readonly client_address?: string;
  /** The conditions that the service decides by itself about each request, with spaces between them: networks. Other words are ignored. A token with another condition is not active. */
  readonly conditions?: string;
  /** With `1`, an active answer also has `gatehouse.depends` and `gatehouse.database`, for a service that follows the changes of tokens. Other texts are ignored. */
  readonly depends?: string;
}

export type Introspection = {
  readonly active: true;
  /** The scopes that the token has at the calling service, with spaces between them. */
  readonly scope: string;
  /** The subject in the token. It stays the same if the token gets another owner. */
  readonly sub: string;
  /** The id of the token, because each client has its own token. */
  readonly client_id: string;
  /** The id of the token. */
  readonly jti: string;
  /** The issuer in the token. */
  readonly iss: string;
  /** The audience in the token. */
  readonly aud: string;
  /** When the token was issued, in seconds since 1970. */
  readonly iat: number;
  /** From when the token is not accepted, in seconds since 1970; absent if it never expires. */
  readonly exp?: number;
  readonly token_type: "Bearer";
  /** The email of the owner. */
  readonly username: string;
  /** Members that RFC 7662 does not have. */
  readonly gatehouse: {
    /** The id of the account of the owner. */
    readonly account: number;
    /** The id of the owner of the token. */
    readonly user: number;
    /** The role of the owner in the account. */
    readonly role: "admin" | "member";
    /** How the token was created. */
    readonly kind: "api" | "sign-in";
    /** What the token is for, as its creator named it. */
    readonly name: string;
    /** The conditions that the service has to decide about each request. It must refuse the token if it does not know one of them. Absent if there are none, and if the request declares none. */
    readonly conditions?: {
      /** The networks from which the token may be used. */
      readonly networks?: {
        /** `enforced`: refuse a client from elsewhere, and one whose address is not known, with status 403. `report-only`: accept it. */
        readonly mode: "report-only" | "enforced";
        /** Networks in CIDR notation. */
        readonly list: readonly string[];
      };
    };
    /** The records on which the answer depends; only with `depends=1`. */
    readonly depends?: readonly {
      /** The kind of record. */
      readonly kind: "token" | "user" | "account" | "key" | "service";
      /** Stands for the record in the stream of changes. */
      readonly handle: string;
    }[];
    /** Names the database server from which the answer was read; empty if the server cannot find it out. Only with `depends=1`. */
    readonly database?: string;
  };
} | {
  readonly active: false;
};

export interface TokenUseReport {
  /** Requests that the service accepted. */
  readonly uses?: readonly {
    /** The id of the token: `jti` of its introspection. */
    readonly token: string;
    /** The number of requests with the token. */
    readonly count: number;
    /** The time of the last of these requests. */
    readonly last_at: string;
    /** The IP address of the client that sent these requests; any other text is ignored. */
    readonly client_address?: string;
  }[];
  /** Requests that the service refused. */
  readonly refusals?: readonly {
    /** The id of the token: `jti` of its introspection. */
    readonly token: string;
    /** The number of requests with the token. */
    readonly count: number;
    /** The time of the last of these requests. */
    readonly last_at: string;
    /** The IP address of the client. It is ignored: addresses of such refusals are not stored. */
    readonly client_address?: string;
    /** Why the service refused these requests. */
    readonly reason: "insufficient_scope" | "expired" | "network_not_allowed";
  }[];
}

export type TokenChange = {
  /** The first line. */
  readonly hello: {
    /** The nonce of the request. */
    readonly nonce: string;
    /** A time after the request arrived, in milliseconds of the server's monotonic clock. */
    readonly now: number;
    /** The lines before the first proof repeat all changes since this time, in milliseconds of the server's monotonic clock. */
    readonly replay_from: number;
    /** The longest time for which a service may use what it remembers, in milliseconds. */
    readonly max_staleness_ms: number;
    /** The kinds of record whose changes this stream tells. */
    readonly kinds: readonly ("token" | "user" | "account" | "key" | "service")[];
    /** Names the database server. A restart or a failover changes the name. Empty if the server cannot find it out. */
    readonly database: string;
  };
} | {
  /** The handles of records that have changed; `all` if any record may have changed. */
  readonly changed: readonly string[] | "all";
} | {
  /** Proves that the stream is complete up to a time. */
  readonly proof: {
    /** All changes that were acknowledged before this time were told before this line, in milliseconds of the server's monotonic clock. */
    readonly heard: number;
    /** The server's time of day at `heard`, in milliseconds since 1970. */
    readonly time: number;
    /** The number of lines before this one. */
    readonly position: number;
    /** Names the database server. A restart or a failover changes the name. Empty if the server cannot find it out. */
    readonly database: string;
  };
};

export interface TokenRefreshRequest {
  readonly tokens: readonly string[];
  /** The conditions that the service decides by itself, as in introspection: networks. */
  readonly conditions?: readonly string[];
}

export interface TokenRefresh {
  /** An answer for each id of the request, in the same order. */
  readonly tokens: readonly Introspection[];
}

export interface JsonWebKeySet {
  readonly keys: readonly {
    readonly kty: "OKP";
    readonly crv: "Ed25519";
    /** The public key, in base64url (RFC 8037 section 2). */
    readonly x: string;
    /** The key id in the header of a token: the thumbprint of the key (RFC 7638). */
    readonly kid: string;
    readonly alg: "EdDSA";
    readonly use: "sig";
  }[];
}

export interface PaserkKeySet {
  readonly keys: readonly {
    /** The key id in the footer of a token. */
    readonly kid: string;
    /** The public key. */
    readonly key: string;
  }[];
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, unknown>>;
}

/** Why a request was refused (RFC 9457 section 3.1). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
}

export type MalformedRequestProblem =
  ProblemOf<400, "urn:gatehouse:problem:malformed-request", "The request is malformed.">;

export type RequestTimeoutProblem =
  ProblemOf<408, "urn:gatehouse:problem:request-timeout", "The request took too long to arrive.">;

export type HeadersTooLargeProblem =
  ProblemOf<431, "urn:gatehouse:problem:headers-too-large", "The header fields are too large.">;

export type InternalErrorProblem =
  ProblemOf<500, "urn:gatehouse:problem:internal-error", "Something went wrong on our side.">;

export type UnavailableProblem =
  ProblemOf<503, "urn:gatehouse:problem:unavailable", "The service is not available for the moment.">;

export type RepeatedAuthorizationProblem =
  ProblemOf<400, "urn:gatehouse:problem:repeated-authorization", "The request is authorized in more than one way.">;

export type TokenRequiredProblem =
  ProblemOf<401, "urn:gatehouse:problem:token-required", "A bearer token is required.">;

export type TokenNotAcceptedProblem =
  ProblemOf<401, "urn:gatehouse:problem:token-not-accepted", "The bearer token is not accepted.">;

export type InsufficientScopeProblem =
  ProblemOf<403, "urn:gatehouse:problem:insufficient-scope", "The scopes of the token do not allow this.">;

export type NetworkNotAllowedProblem =
  ProblemOf<403, "urn:gatehouse:problem:network-not-allowed", "The token may not be used from this network.">;

export type NotAllowedProblem =
  ProblemOf<403, "urn:gatehouse:problem:not-allowed", "The user of the token may not do this.">;

export type NotFoundProblem =
  ProblemOf<404, "urn:gatehouse:problem:not-found", "There is nothing here.">;

export interface InvalidQueryProblem {
  readonly type: "urn:gatehouse:problem:invalid-query";
  readonly title: "The query has parameters that are not valid.";
  readonly status: 422;
  readonly errors: readonly {
    readonly field: string;
    readonly message: string;
  }[];
}

export type CrossSiteRequestProblem =
  ProblemOf<400, "urn:gatehouse:problem:cross-site-request", "A page of another site made a browser send this.">;

export type MalformedBodyProblem =
  ProblemOf<400, "urn:gatehouse:problem:malformed-body", "The body is not what its content type says.">;

export type UnsupportedMediaTypeProblem =
  ProblemOf<415, "urn:gatehouse:problem:unsupported-media-type", "The body must be uncompressed JSON, a form or multipart form data, in UTF-8.">;

export interface InvalidInputProblem {
  readonly type: "urn:gatehouse:problem:invalid-input";
  readonly title: "The body has fields that are not valid.";
  readonly status: 422;
  readonly errors: readonly {
    readonly field: string;
    readonly message: string;
  }[];
}

export type BodyTooLargeProblem =
  ProblemOf<413, "urn:gatehouse:problem:body-too-large", "The body is larger than 16 KiB.">;

export type CredentialsNotAcceptedProblem =
  ProblemOf<401, "urn:gatehouse:problem:credentials-not-accepted", "The email and the password are not accepted.">;

export type TooManyAttemptsProblem =
  ProblemOf<429, "urn:gatehouse:problem:too-many-attempts", "Too many attempts; try again later.">;

export type OverloadedProblem =
  ProblemOf<503, "urn:gatehouse:problem:overloaded", "Too much is going on; try again shortly.">;

export type ServiceCredentialRequiredProblem =
  ProblemOf<401, "urn:gatehouse:problem:service-credential-required", "The credential of a service is required.">;

export type ServiceCredentialNotAcceptedProblem =
  ProblemOf<401, "urn:gatehouse:problem:service-credential-not-accepted", "The credential of the service is not accepted.">;

export type JsonTooLargeProblem =
  ProblemOf<413, "urn:gatehouse:problem:json-too-large", "The body is larger than 256 KiB.">;

export interface MalformedQueryProblem {
  readonly type: "urn:gatehouse:problem:malformed-query";
  readonly title: "The query lacks a parameter, or has one that is not valid.";
  readonly status: 400;
  readonly errors: readonly {
    readonly field: string;
    readonly message: string;
  }[];
}

export type TooManyStreamsProblem =
  ProblemOf<429, "urn:gatehouse:problem:too-many-streams", "Too many streams are open; try again shortly.">;

/** The input and the answers of each operation. */

export interface Operations {
  /** Get an organization: `GET /api/v1/orgs/{id}`. */
  readonly getOrg: {
    readonly input: string | number;
    readonly answer:
      | Answer<200, Organization>
      | Answer<304, undefined>
      | Answer<400, MalformedRequestProblem | RepeatedAuthorizationProblem>
      | Answer<401, TokenRequiredProblem | TokenNotAcceptedProblem>
      | Answer<403, InsufficientScopeProblem | NetworkNotAllowedProblem | NotAllowedProblem>
      | Answer<404, NotFoundProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** List organizations: `GET /api/v1/orgs`. */
  readonly listOrgs: {
    readonly input: {
      readonly limit?: number;
      readonly cursor?: string;
    };
    readonly answer:
      | Answer<200, {
      readonly items: readonly Organization[];
      readonly next_cursor: string | null;
    }>
      | Answer<304, undefined>
      | Answer<400, MalformedRequestProblem | RepeatedAuthorizationProblem>
      | Answer<401, TokenRequiredProblem | TokenNotAcceptedProblem>
      | Answer<403, InsufficientScopeProblem | NetworkNotAllowedProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<422, InvalidQueryProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** Sign in: `POST /api/v1/auth.json`. */
  readonly signIn: {
    readonly input: SignInRequest;
    readonly answer:
      | Answer<200, SignInAnswer>
      | Answer<400, MalformedRequestProblem | CrossSiteRequestProblem | MalformedBodyProblem>
      | Answer<401, CredentialsNotAcceptedProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<413, BodyTooLargeProblem>
      | Answer<415, UnsupportedMediaTypeProblem>
      | Answer<422, InvalidInputProblem>
      | Answer<429, TooManyAttemptsProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem | OverloadedProblem>;
  };
  /** Get the user and the token that are calling: `GET /api/v1/me.json`. */
  readonly getMe: {
    readonly input: undefined;
    readonly answer:
      | Answer<200, Me>
      | Answer<400, MalformedRequestProblem | RepeatedAuthorizationProblem>
      | Answer<401, TokenRequiredProblem | TokenNotAcceptedProblem>
      | Answer<403, InsufficientScopeProblem | NetworkNotAllowedProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** Introspect a token: `POST /api/v1/introspect`. */
  readonly introspectToken: {
    readonly input: IntrospectionRequest;
    readonly answer:
      | Answer<200, Introspection>
      | Answer<400, MalformedRequestProblem | CrossSiteRequestProblem | RepeatedAuthorizationProblem | MalformedBodyProblem>
      | Answer<401, ServiceCredentialRequiredProblem | ServiceCredentialNotAcceptedProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<413, BodyTooLargeProblem>
      | Answer<415, UnsupportedMediaTypeProblem>
      | Answer<422, InvalidInputProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** Report uses of tokens: `POST /api/v1/token-uses`. */
  readonly reportTokenUses: {
    readonly input: TokenUseReport;
    readonly answer:
      | Answer<204, undefined>
      | Answer<400, MalformedRequestProblem | CrossSiteRequestProblem | RepeatedAuthorizationProblem | MalformedBodyProblem>
      | Answer<401, ServiceCredentialRequiredProblem | ServiceCredentialNotAcceptedProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<413, JsonTooLargeProblem>
      | Answer<415, UnsupportedMediaTypeProblem>
      | Answer<422, InvalidInputProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** Verify that a token has a scope of a service: `GET /api/v1/verify`. */
  readonly verifyScope: {
    readonly input: {
      readonly scope: string;
    };
    readonly answer:
      | Answer<204, undefined>
      | Answer<400, MalformedRequestProblem | RepeatedAuthorizationProblem | MalformedQueryProblem>
      | Answer<401, TokenRequiredProblem | TokenNotAcceptedProblem>
      | Answer<403, InsufficientScopeProblem | NetworkNotAllowedProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** Introspect again tokens that a service remembers: `POST /api/v1/token-refreshes`. */
  readonly refreshTokens: {
    readonly input: TokenRefreshRequest;
    readonly answer:
      | Answer<200, TokenRefresh>
      | Answer<400, MalformedRequestProblem | CrossSiteRequestProblem | RepeatedAuthorizationProblem | MalformedBodyProblem>
      | Answer<401, ServiceCredentialRequiredProblem | ServiceCredentialNotAcceptedProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<413, BodyTooLargeProblem>
      | Answer<415, UnsupportedMediaTypeProblem>
      | Answer<422, InvalidInputProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** Get this document: `GET /openapi.json`. */
  readonly getOpenApiDocument: {
    readonly input: undefined;
    readonly answer:
      | Answer<200, OpenApiDocument>
      | Answer<400, MalformedRequestProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<431, HeadersTooLargeProblem>;
  };
  /** Get the public keys of JWTs: `GET /.well-known/jwks.json`. */
  readonly getJwks: {
    readonly input: undefined;
    readonly answer:
      | Answer<200, JsonWebKeySet>
      | Answer<400, MalformedRequestProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
  /** Get the public keys of PASETO tokens: `GET /.well-known/paserk.json`. */
  readonly getPaserkKeys: {
    readonly input: undefined;
    readonly answer:
      | Answer<200, PaserkKeySet>
      | Answer<400, MalformedRequestProblem>
      | Answer<408, RequestTimeoutProblem>
      | Answer<431, HeadersTooLargeProblem>
      | Answer<500, InternalErrorProblem>
      | Answer<503, UnavailableProblem>;
  };
}

export const OPERATIONS = {
  getOrg: {
    method: 'GET', path: '/api/v1/orgs/{id}', takes: 'value', inPath: ["id"], inQuery: [],
    needsToken: true, statuses: [200, 304, 400, 401, 403, 404, 408, 431, 500, 503],
  },
  listOrgs: {
    method: 'GET', path: '/api/v1/orgs', takes: 'parts', inPath: [], inQuery: ["limit","cursor"],
    needsToken: true, statuses: [200, 304, 400, 401, 403, 408, 422, 431, 500, 503],
  },
  signIn: {
    method: 'POST', path: '/api/v1/auth.json', takes: 'body', inPath: [], inQuery: [],
    needsToken: false, statuses: [200, 400, 401, 408, 413, 415, 422, 429, 431, 500, 503],
  },
  getMe: {
    method: 'GET', path: '/api/v1/me.json', takes: 'nothing', inPath: [], inQuery: [],
    needsToken: true, statuses: [200, 400, 401, 403, 408, 431, 500, 503],
  },
  introspectToken: {
    method: 'POST', path: '/api/v1/introspect', takes: 'body', inPath: [], inQuery: [],
    needsToken: true, statuses: [200, 400, 401, 408, 413, 415, 422, 431, 500, 503],
    isForm: true,
  },
  reportTokenUses: {
    method: 'POST', path: '/api/v1/token-uses', takes: 'body', inPath: [], inQuery: [],
    needsToken: true, statuses: [204, 400, 401, 408, 413, 415, 422, 431, 500, 503],
  },
  verifyScope: {
    method: 'GET', path: '/api/v1/verify', takes: 'parts', inPath: [], inQuery: ["scope"],
    needsToken: true, statuses: [204, 400, 401, 403, 408, 431, 500, 503],
  },
  refreshTokens: {
    method: 'POST', path: '/api/v1/token-refreshes', takes: 'body', inPath: [], inQuery: [],
    needsToken: true, statuses: [200, 400, 401, 408, 413, 415, 422, 431, 500, 503],
  },
  getOpenApiDocument: {
    method: 'GET', path: '/openapi.json', takes: 'nothing', inPath: [], inQuery: [],
    needsToken: false, statuses: [200, 400, 408, 431],
  },
  getJwks: {
    method: 'GET', path: '/.well-known/jwks.json', takes: 'nothing', inPath: [], inQuery: [],
    needsToken: false, statuses: [200, 400, 408, 431, 500, 503],
  },
  getPaserkKeys: {
    method: 'GET', path: '/.well-known/paserk.json', takes: 'nothing', inPath: [], inQuery: [],
    needsToken: false, statuses: [200, 400, 408, 431, 500, 503],
  },
} as const satisfies Readonly<Record<keyof Operations, Operation>>;
