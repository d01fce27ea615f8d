/** The sandbox gives everybody without a picture a plain one. The faces and the mark drawn here can do more. */
export function ownPicture(address: string | null | undefined): string | null {
  return address && !address.includes("/_sandbox/pictures/") ? address : null;
}
