// LINE's own SDK, in its pluggable form: only the modules named here are shipped. This file is
// imported lazily, so that the sandbox never carries the SDK.
import liff from "@line/liff/core";
import GetDecodedIDToken from "@line/liff/get-decoded-id-token";
import GetIDToken from "@line/liff/get-id-token";
import IsInClient from "@line/liff/is-in-client";
import IsLoggedIn from "@line/liff/is-logged-in";
import Login from "@line/liff/login";
import Logout from "@line/liff/logout";
import { LineAdapter } from "./line-adapter";

export function lineAdapter(liffId: string): LineAdapter {
  liff.use(new IsInClient());
  liff.use(new IsLoggedIn());
  liff.use(new GetIDToken());
  liff.use(new GetDecodedIDToken());
  liff.use(new Login());
  liff.use(new Logout());
  return new LineAdapter(liff, liffId, window);
}
