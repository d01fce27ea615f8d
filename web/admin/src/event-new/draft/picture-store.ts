// The picture of a draft. It is too large for localStorage, so it is kept in IndexedDB, one for each person.

export interface Picture {
  name: string;
  file: Blob;
}

const DATABASE = "tsudoi-event-draft";
const STORE = "pictures";

export async function loadPicture(username: string): Promise<Picture | null> {
  try {
    const stored: unknown = await run("readonly", (store) => store.get(username));
    return isPicture(stored) ? stored : null;
  } catch {
    // Private windows may have no such storage: the picture is then asked for once more after a reload.
    return null;
  }
}

export async function savePicture(username: string, picture: Picture | null): Promise<void> {
  try {
    await run("readwrite", (store) => (picture === null ? store.delete(username) : store.put(picture, username)));
  } catch {
    // See above: it still is in front of the person, and that is what will be sent.
  }
}

function isPicture(value: unknown): value is Picture {
  return typeof value === "object" && value !== null && "file" in value && value.file instanceof Blob && "name" in value;
}

async function run(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const database = await opened();
  try {
    return await done(work(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  const request = window.indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("IndexedDB"));
  });
}
