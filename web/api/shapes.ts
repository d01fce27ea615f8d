// Types derived from the generated schema. Screens name operations by their path, never by the
// generated schema names, so that a renamed model on the server does not ripple through them.
import type { paths } from "./schema";

type Method = "get" | "put" | "post" | "delete" | "patch";
type Operation<P extends keyof paths, M extends Method> = paths[P][M];
type JsonOf<R> = R extends { content: { "application/json": infer T } } ? T : undefined;
type Responses<O> = O extends { responses: infer R } ? R : never;
type Success<R> = { [S in keyof R]: S extends 200 | 201 | 202 | 204 ? JsonOf<R[S]> : never }[keyof R];

/** The paths that offer a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: Operation<P, M> extends { responses: unknown } ? P : never;
}[keyof paths];

/** What a successful answer of an operation carries. */
export type Answer<P extends keyof paths, M extends Method = "get"> = Success<Responses<Operation<P, M>>>;

/** The JSON that an operation takes. */
export type Body<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { requestBody?: infer B } ? JsonOf<NonNullable<B>> : undefined;

/**
 * The API without the header parameters: identity and CSRF headers are the clients' business,
 * added in one place, and no screen should have to pass them.
 */
export type WithoutHeaders<P> = {
  [K in keyof P]: {
    [M in keyof P[K]]: P[K][M] extends { parameters: infer Q; responses: unknown }
      ? Omit<P[K][M], "parameters"> & { parameters: Omit<Q, "header"> & { header?: never } }
      : P[K][M];
  };
};
