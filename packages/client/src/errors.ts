/** No answer came: the server was not reached, the connection broke, or the call timed out. `cause` has the reason. */
export class RequestFailed extends Error {
  override readonly name = 'RequestFailed';
}

/** An answer that does not come from the API, for example the error page of a proxy. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
  readonly status: number;

  constructor(operation: string, status: number) {
    super(
      `${operation}: the answer ${status} is not from the Gatehouse API: check the base URL, and whether a proxy answers instead`,
    );
    this.status = status;
  }
}
