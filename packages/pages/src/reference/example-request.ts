/**
 * An example request. The programs that send it read the token, or the credential of a service, from an environment
 * variable. If they contained it as text, users would store it in files.
 */
export interface ExampleRequest {
  readonly method: string;
  readonly url: string;
  /** The environment variable with the token or the credential; undefined if the request needs neither. */
  readonly bearerIn: 'GATEHOUSE_TOKEN' | 'GATEHOUSE_CREDENTIAL' | undefined;
  /** Undefined for a request without a body. */
  readonly body: unknown;
  /** Whether the body is sent as a form, and not as JSON. */
  readonly isForm: boolean;
  /** Whether the answer has a body. If it has none, the programs print its headers. */
  readonly hasAnswer: boolean;
}
