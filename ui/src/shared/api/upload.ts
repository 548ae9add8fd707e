// Sending a file as the bytes it is, told how far it got. `fetch` can't tell that, so this is an XMLHttpRequest.

import { type Answer, OURS, type PathOf } from './client';
import { ApiProblem, problemIn } from './problem';

export interface Progress {
  /** How many bytes have left. */
  sent: number;
  /** All of them have left; the server is at work. */
  isSent: boolean;
}

export interface Sending {
  /** The media type, which names the compression if there is one. */
  type: string;
  onprogress: (progress: Progress) => void;
  signal: AbortSignal;
}

/** Posts a file. Throws an `ApiProblem`, or an `AbortError` when it was stopped. */
export function upload<P extends PathOf<'post'>>(path: P, file: Blob, { type, onprogress, signal }: Sending): Promise<{ status: number; answer: Answer<P, 'post'> }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('Accept', 'application/json, application/problem+json');
    request.setRequestHeader('Content-Type', type);
    for (const [name, value] of Object.entries(OURS)) request.setRequestHeader(name, value);
    request.upload.onprogress = (event) => onprogress({ sent: event.loaded, isSent: false });
    request.upload.onload = () => onprogress({ sent: file.size, isSent: true });
    request.onload = () => {
      if (request.status < 200 || request.status > 299) return reject(problemIn(request.status, request.responseText));
      try {
        resolve({ status: request.status, answer: JSON.parse(request.responseText) as Answer<P, 'post'> });
      } catch {
        reject(new ApiProblem(request.status, 'unreadable', 'the server’s answer could not be read'));
      }
    };
    request.onerror = () => reject(new ApiProblem(0, 'unreachable', 'the file could not be read or the server could not be reached'));
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) return reject(new DOMException('stopped', 'AbortError'));
    request.send(file);
  });
}
