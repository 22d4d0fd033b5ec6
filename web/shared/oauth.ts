/** The calls about requests of applications and devices, as the user of this browser's session. Not every page loads them. */

import { createClient } from "@connectrpc/connect";
import { OAuthService } from "../gen/keystead/oauth/v1/oauth_service_pb";
import { byCookie } from "./session";

export const oauthService = createClient(OAuthService, byCookie);
