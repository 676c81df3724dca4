/** Starts the plugin process, on a Node.js that can run it. */
import "../../requireNodeOrExit";
import "./main";
